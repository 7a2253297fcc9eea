import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { catalogHref, catalogsHref, crumbsOf } from '#components/places/host-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { catalogKind } from '../../forms.ts';

const route = getRouteApi('/$environment/host-sources/$catalog/edit/');

export function EditCatalogPage() {
  const { catalog } = route.useParams();
  const environment = useEnvironment();
  return (
    <EditRecord
      kind={catalogKind}
      address={catalog}
      ancestors={crumbsOf(environment.id, undefined)}
      hrefOf={({ id: saved }) => catalogHref(environment.id, saved)}
      listHref={catalogsHref(environment.id)}
    />
  );
}
