import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { catalogHref, hostHref } from '#components/places/host-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { hostForm, hostNames } from '#routes/$environment/host-sources/forms.ts';
import { shownHosts } from '#routes/$environment/host-sources/kinds.ts';
import { useCatalog } from '../../use-catalog.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/hosts/new/')({
  component: NewHostPage,
});

const route = getRouteApi('/$environment/host-sources/$catalog/hosts/new/');

function NewHostPage() {
  const { catalog } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <NewRecord
      kind={shownHosts}
      ancestors={ancestors}
      blank={{ name: '', description: '', attributes: { address: '' } }}
      formOf={() => hostForm}
      bodyOf={(values) => ({ ...values, host_catalog_id: catalog })}
      codeOf={(values) => newAsCode(hostNames, { host_catalog_id: catalog }, values)}
      hrefOf={({ id }) => hostHref(environment.id, catalog, id)}
      cancelHref={`${catalogHref(environment.id, catalog)}?tab=hosts`}
    />
  );
}
