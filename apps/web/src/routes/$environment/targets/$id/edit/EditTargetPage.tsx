import { Badge } from '@gatehouse/ui/badge';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { queryClient } from '#lib/query-client.ts';
import { targetQuery } from '#queries/access.ts';
import { targetKind } from '../../target-kind.ts';
import { targetsSearch } from '../../targets-search.ts';
import { useTargetPlaces } from '../../use-target-places.ts';

export const Route = createFileRoute('/$environment/targets/$id/edit/')({
  validateSearch: targetsSearch.parse,
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(targetQuery(environment, id));
  },
  component: EditTargetPage,
});

const route = getRouteApi('/$environment/targets/$id/edit/');

function EditTargetPage() {
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
