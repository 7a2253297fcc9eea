import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { Banner } from '@gatehouse/ui/banner';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Copy, Database, Folder } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { shellWord } from '#components/form/as-code.ts';
import { commandFor, useSecretsClient } from '#components/form/secrets-client.ts';
import { ListFailure } from '#components/list/ListFailure.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import {
  crumbsOf,
  folderHref,
  fullName,
  nameOf,
  newSecretHref,
  secretHref,
  secretsHref,
} from '#components/places/secrets.ts';
import { isApiError } from '#lib/api-error.ts';
import { copyText } from '#lib/copy-text.ts';
import { folderOf } from '#lib/folder-of.ts';
import { queryClient } from '#lib/query-client.ts';
import { capabilitiesQuery, folderQuery } from '#queries/secrets.ts';
import { folderColumns, foundColumns } from '#routes/$environment/secrets/-search/folder-columns.tsx';
import { useSearchedNames } from '#routes/$environment/secrets/-search/use-searched-names.tsx';
import { folderSearch } from '#routes/$environment/secrets/folder-search.ts';
import { reasonAgainstCreating, reasonAgainstUnversioned } from '#routes/$environment/secrets/may.ts';
import { OpenPath } from '#routes/$environment/secrets/OpenPath.tsx';
import { useIsUnversioned, useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { EmptyFolder } from './EmptyFolder.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/folder/$/')({
  validateSearch: folderSearch.parse,
  loader: ({ params: { environment, mount, _splat: path = '' } }) => {
    void queryClient.prefetchInfiniteQuery(folderQuery({ environment, mount, path }));
    void queryClient.prefetchQuery(capabilitiesQuery({ environment, mount, path }));
  },
  component: FolderPage,
});

// Loaded after the list is shown.
const FolderMenu = lazy(async () => ({ default: (await import('../../after-list.ts')).FolderMenu }));
const noItems: readonly FolderItem[] = [];
const idOf = ({ path, folder }: FolderItem): string => (folder ? `${path}/` : path);

/** A folder of an engine, or the engine itself: its names, and a search through all folders below. */
function FolderPage() {
  const place = useSecretPlace();
  const query = useInfiniteQuery(folderQuery(place));
  const may = useQuery(capabilitiesQuery(place));
  const isVersioned = !useIsUnversioned();
  const name = place.path === '' ? place.mount : nameOf(place.path);
  const { find, found, progress } = useSearchedNames([place], `below ${name}`, 'Folder');
  const isSearching = found !== undefined;

  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? noItems, [query.data]);
  const total = query.data?.pages.at(-1)?.total ?? null;
  const columns = useMemo(
    () => (isSearching ? foundColumns(place.path) : folderColumns),
    [isSearching, place],
  );
  const hrefOf = ({ path, folder }: FolderItem): string =>
    folder ? folderHref({ ...place, path }) : secretHref({ ...place, path });
  const up =
    place.path === '' ? secretsHref(place.environment) : folderHref({ ...place, path: folderOf(place.path) });
  const cannotCreate = isVersioned ? reasonAgainstCreating(may.data) : reasonAgainstUnversioned;
  const client = useSecretsClient();

  return (
    <ListPage<FolderItem>
      title={name}
      pageTitle={`${fullName(place)}/`}
      icon={place.path === '' ? Database : Folder}
      list="secret-folder"
      group="Folder"
      gridKey={`${place.mount} ${place.path} ${String(isSearching)}`}
      label="Folder contents"
      noun={{ one: 'name', many: 'names' }}
      columns={columns}
      query={query}
      rows={found?.items ?? items}
      rowId={idOf}
      rowLabel={({ name: label }) => label}
      rowHref={hrefOf}
      rowActions={({ path }) => [
        {
          id: 'copy',
          label: 'Copy path',
          icon: Copy,
          onAction: () => void copyText(fullName({ ...place, path }), 'Path'),
        },
      ]}
      {...(!isSearching &&
        query.hasNextPage && {
          matchCount: { value: total ?? Infinity, isExact: total !== null },
          onLoadMore: () => void query.fetchNextPage(),
        })}
      ancestors={crumbsOf(place)}
      up={up}
      // No engine, or one of another type: nothing to search or create.
      instead={
        isApiError(query.error, 'not-found', 'invalid-request') && items.length === 0 ? (
          <Failure
            error={query.error}
            onRetry={() => void query.refetch()}
            action={<LinkButton href={secretsHref(place.environment)}>Go to the engines</LinkButton>}
          />
        ) : undefined
      }
      actions={
        <Suspense fallback={<span className="size-7" />}>
          <FolderMenu place={place} isVersioned={isVersioned} />
        </Suspense>
      }
      create={{
        href: newSecretHref(place),
        reason: cannotCreate,
        label: 'New secret',
      }}
      find={find}
      filters={{ label: 'Find secrets' }}
      empty={
        <EmptyFolder
          place={place}
          may={may.data ?? null}
          cannotCreate={cannotCreate}
          isVersioned={isVersioned}
        />
      }
      error={
        <ListFailure
          error={query.error}
          loaded={items.length}
          onRetry={() => void (items.length === 0 ? query.refetch() : query.fetchNextPage())}
          action={
            <>
              <LinkButton href={up}>Go up one level</LinkButton>
              {isApiError(query.error, 'forbidden') && (
                <OpenPath environment={place.environment} below={place} />
              )}
            </>
          }
          title={`Loading stopped after ${items.length.toLocaleString('en')} names`}
          retryLabel="Continue"
        />
      }
      {...found?.props}
    >
      {!isVersioned && (
        <div className="px-4 pt-3">
          <Banner
            tone="info"
            announce="none"
            title="This engine isn't versioned. You can read its secrets here, but not write them"
          >
            Write a secret with{' '}
            <code className="font-mono">
              {commandFor(`vault kv put -mount=${shellWord(place.mount)} PATH`, client)}
            </code>
            , or ask an administrator to turn on versioning.
          </Banner>
        </div>
      )}
      {progress}
    </ListPage>
  );
}
