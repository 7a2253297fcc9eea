import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '../../../../../../../components/layout/use-environment.ts';
import { EditRecord } from '../../../../../../../components/record/EditRecord.tsx';
import { hostKind } from '../../../../forms.ts';
import { catalogHref, hostHref } from '../../../../places.ts';
import { useCatalog } from '../../../use-catalog.ts';

const route = getRouteApi('/$environment/host-sources/$catalog/hosts/$id/edit/');

export function EditHostPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <EditRecord
      kind={hostKind}
      id={id}
      ancestors={ancestors}
      hrefOf={(host) => hostHref(environment.id, catalog, host)}
      listHref={`${catalogHref(environment.id, catalog)}?tab=hosts`}
    />
  );
}
