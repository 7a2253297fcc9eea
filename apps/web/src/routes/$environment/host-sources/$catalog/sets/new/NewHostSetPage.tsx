import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { catalogHref, hostSetHref } from '#components/places/host-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { hostSetNames, newHostSetForm } from '#routes/$environment/host-sources/forms.ts';
import { shownHostSets } from '#routes/$environment/host-sources/kinds.ts';
import { useCatalog } from '../../use-catalog.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/new/')({
  component: NewHostSetPage,
});

const route = getRouteApi('/$environment/host-sources/$catalog/sets/new/');

function NewHostSetPage() {
  const { catalog } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <NewRecord
      kind={shownHostSets}
      ancestors={ancestors}
      blank={{ name: '', description: '' }}
      formOf={() => newHostSetForm}
      bodyOf={(values) => ({ ...values, host_catalog_id: catalog })}
      codeOf={(values) => newAsCode(hostSetNames, { host_catalog_id: catalog }, values)}
      hrefOf={({ id }) => hostSetHref(environment.id, catalog, id)}
      cancelHref={catalogHref(environment.id, catalog)}
    />
  );
}
