import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '../../../../../../../components/layout/use-environment.ts';
import { EditRecord } from '../../../../../../../components/record/EditRecord.tsx';
import { hostSetKind } from '../../../../forms.ts';
import { catalogHref, hostSetHref } from '../../../../places.ts';
import { useCatalog } from '../../../use-catalog.ts';

const route = getRouteApi('/$environment/host-sources/$catalog/sets/$id/edit/');

export function EditHostSetPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <EditRecord
      kind={hostSetKind}
      id={id}
      ancestors={ancestors}
      hrefOf={(set) => hostSetHref(environment.id, catalog, set)}
      listHref={catalogHref(environment.id, catalog)}
    />
  );
}
