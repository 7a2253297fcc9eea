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
      id={catalog}
      ancestors={crumbsOf(environment.id, undefined)}
      hrefOf={(id) => catalogHref(environment.id, id)}
      listHref={catalogsHref(environment.id)}
    />
  );
}
