import { Badge } from '@gatehouse/ui/badge';
import { getRouteApi } from '@tanstack/react-router';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { targetKind } from '../../target-kind.ts';
import { useTargetPlaces } from '../../use-target-places.ts';

const route = getRouteApi('/$environment/targets/$id/edit/');

export function EditTargetPage() {
  const { id } = route.useParams();
  const { ancestors, hrefOf, listHref } = useTargetPlaces(route.useSearch());
  return (
    <EditRecord
      kind={targetKind}
      address={id}
      ancestors={ancestors}
      hrefOf={hrefOf}
      listHref={listHref}
      meta={({ type }) => <Badge>{type}</Badge>}
    />
  );
}
