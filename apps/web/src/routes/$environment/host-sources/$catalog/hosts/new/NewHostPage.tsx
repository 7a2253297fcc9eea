import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { catalogHref, hostHref } from '#components/places/host-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { hosts } from '#queries/host-sources.ts';
import { hostForm, hostNames } from '#routes/$environment/host-sources/forms.ts';
import { useCatalog } from '../../use-catalog.ts';

const route = getRouteApi('/$environment/host-sources/$catalog/hosts/new/');

export function NewHostPage() {
  const { catalog } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <NewRecord
      noun="host"
      calls={hosts}
      ancestors={ancestors}
      blank={{ name: '', description: '', attributes: { address: '' } }}
      formOf={() => hostForm}
      bodyOf={(values) => ({ ...values, host_catalog_id: catalog })}
      codeOf={(values) => ({ names: hostNames, place: { host_catalog_id: catalog }, values })}
      hrefOf={(id) => hostHref(environment.id, catalog, id)}
      cancelHref={`${catalogHref(environment.id, catalog)}?tab=hosts`}
    />
  );
}
