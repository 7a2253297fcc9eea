import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { hostSetHref } from '#components/places/host-sources.ts';
import { nameOrId } from '#components/record/record-kind.ts';
import { RetirePage } from '#components/source/RetirePage.tsx';
import { hostChoicesQuery, hostSets } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { useCatalog } from '#routes/$environment/host-sources/$catalog/use-catalog.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/retire/')({
  component: RetireHostSetPage,
});

const route = getRouteApi('/$environment/host-sources/$catalog/sets/$id/retire/');

/** Replaces a host set by another, target by target. */
function RetireHostSetPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  const set = useQuery(recordQuery(hostSets, environment.id, id));
  const scope = set.data?.scope.id;
  const [search, setSearch] = useState('');
  const choices = useQuery({
    ...hostChoicesQuery(environment.id, scope ?? '', search),
    enabled: scope !== undefined,
    placeholderData: (previous) => previous,
  });
  return (
    <RetirePage
      noun="host set"
      kinds={['host_source_ids']}
      source={set.data && { id, name: nameOrId(set.data), scope: set.data.scope.id }}
      failure={set.error}
      onRetry={() => void set.refetch()}
      ancestors={ancestors}
      hereHref={hostSetHref(environment.id, catalog, id)}
      search={search}
      onSearch={setSearch}
      isSearching={choices.isFetching}
      choices={(choices.data?.items ?? [])
        .filter((choice) => choice.id !== id)
        .map((choice) => ({
          id: choice.id,
          label: nameOrId(choice),
          detail: `${choice.host_catalog_name || choice.host_catalog_id} · ${choice.host_count.toLocaleString('en')} ${choice.host_count === 1 ? 'host' : 'hosts'} · ${choice.id}`,
        }))}
    />
  );
}
