import type { Mount } from '@gatehouse/api-types/console/secret-metadata';
import { Button } from '@gatehouse/ui/button';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { SecretIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { Link } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ArchiveRestore, Copy, Settings2 } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useSecretsCommand } from '#components/form/secrets-client.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import {
  engineHref,
  folderHref,
  fullName,
  newSecretHref,
  recycleBinHref,
  secretHref,
  secretsHref,
} from '#components/places/secrets.ts';
import { useErrand } from '#components/record/use-errand.ts';
import { copyText } from '#lib/copy-text.ts';
import { queryClient } from '#lib/query-client.ts';
import { recentPlaces } from '#lib/recent-places.ts';
import {
  capabilitiesQuery,
  mayMountQuery,
  mountingRefused,
  mountsQuery,
  type SecretPlace,
} from '#queries/secrets.ts';
import { named } from './-search/folder-columns.tsx';
import type { FoundName } from './-search/use-name-search.ts';
import { useSearchedNames } from './-search/use-searched-names.tsx';
import { folderSearch } from './folder-search.ts';
import { reasonAgainstCreating, reasonAgainstUnversioned } from './may.ts';
import { OpenPath } from './OpenPath.tsx';

export const Route = createFileRoute('/$environment/secrets/')({
  validateSearch: folderSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(mountsQuery(environment));
  },
  component: MountsPage,
});

// Loaded after the list is shown.
const NewSecretMenu = lazy(async () => ({ default: (await import('./NewSecretMenu.tsx')).NewSecretMenu }));
const Contents = lazy(async () => ({ default: (await import('./Contents.tsx')).Contents }));
// Rarely needed: most servers already have an engine.
const NewEngine = lazy(async () => ({ default: (await import('./NewEngine.tsx')).NewEngine }));

/** An engine, or a name that a search found. */
type Row = Mount | FoundName;

const noMounts: readonly Mount[] = [];
const nothingToSearch = { find: undefined, found: undefined, progress: undefined };
const isMount = (row: Row): row is Mount => 'version' in row;
const placeOf = (environment: string, row: Row): SecretPlace =>
  isMount(row)
    ? { environment, mount: row.path, path: '' }
    : { environment, mount: row.mount, path: row.path };
const nameOf = (row: Row): string => (isMount(row) ? row.path : `${fullName(row)}${row.folder ? '/' : ''}`);

const engineColumns: readonly GridColumn<Row>[] = [
  {
    id: 'path',
    header: 'Engine',
    value: nameOf,
    below: (row) => isMount(row) && row.description,
    width: 240,
    isRowHeader: true,
  },
  {
    id: 'contents',
    header: 'Contents',
    value: () => '',
    cell: (row) =>
      isMount(row) && (
        <Suspense fallback={null}>
          <Contents mount={row.path} />
        </Suspense>
      ),
    width: 200,
    sortable: false,
  },
  {
    id: 'description',
    header: 'Description',
    value: (row) => (isMount(row) ? row.description : ''),
    width: 420,
  },
  {
    id: 'version',
    header: 'Versions',
    value: (row) => (isMount(row) && row.version === 2 ? 'Versioned' : 'Not versioned'),
    width: 120,
  },
];
const foundColumns: readonly GridColumn<Row>[] = [
  {
    id: 'path',
    header: 'Path',
    value: nameOf,
    cell: (row) => !isMount(row) && named(nameOf(row), row),
    width: 640,
    isRowHeader: true,
    isMono: true,
  },
];

/** The key-value engines of the environment, and a search through all of them. */
function MountsPage() {
  const environment = useEnvironment();
  const command = useSecretsCommand('vault secrets enable -path=secret -version=2 kv');
  const query = useQuery(mountsQuery(environment.id));
  const mayMount = useQuery(mayMountQuery(environment.id));
  const [isMounting, setMounting] = useState(false);
  const mounts = query.data ?? noMounts;
  const places = useMemo(() => mounts.map((row) => placeOf(environment.id, row)), [mounts, environment.id]);
  const searched = useSearchedNames(places, 'in all engines', 'Secrets');
  const { find, found, progress } = mounts.length === 0 ? nothingToSearch : searched;
  const versioned = mounts.filter(({ version }) => version === 2);
  const only = versioned.length === 1 ? versioned[0] : undefined;
  const onlyPlace = { environment: environment.id, mount: only?.path ?? '', path: '' };
  const may = useQuery({ ...capabilitiesQuery(onlyPlace), enabled: only !== undefined });
  const mount = (): void => {
    setMounting(true);
  };
  useErrand('new-engine', query.data === undefined || mayMount.data === false ? undefined : mount);
  const newEngine = (
    <Button size={28} disabledReason={mayMount.data === false ? mountingRefused : undefined} onPress={mount}>
      New engine
    </Button>
  );
  return (
    <ListPage<Row>
      title="Secrets"
      icon={SecretIcon}
      list={found === undefined ? 'secret-mounts' : 'secret-found'}
      gridKey={String(found !== undefined)}
      label="Engines"
      noun={{ one: 'engine', many: 'engines' }}
      columns={found === undefined ? engineColumns : foundColumns}
      query={query}
      rows={found?.items ?? mounts}
      rowId={nameOf}
      rowLabel={nameOf}
      rowHref={(row) => {
        const place = placeOf(environment.id, row);
        return isMount(row) || row.folder ? folderHref(place) : secretHref(place);
      }}
      rowActions={(row) => {
        const place = placeOf(environment.id, row);
        const copy = {
          id: 'copy',
          label: 'Copy path',
          icon: Copy,
          onAction: () => void copyText(fullName(place), 'Path'),
        };
        if (!isMount(row)) return [copy];
        const disabledReason = row.version === 2 ? undefined : reasonAgainstUnversioned;
        return [
          {
            id: 'bin',
            label: 'Recycle bin',
            icon: ArchiveRestore,
            href: recycleBinHref(place),
            disabledReason,
          },
          {
            id: 'settings',
            label: 'Engine settings',
            icon: Settings2,
            href: engineHref(place),
            disabledReason,
          },
          copy,
        ];
      }}
      find={find}
      filters={{ label: 'Find secrets' }}
      create={
        only && {
          href: newSecretHref(onlyPlace),
          reason: reasonAgainstCreating(may.data),
          label: 'New secret',
        }
      }
      actions={
        <>
          {newEngine}
          {versioned.length > 1 && (
            <Suspense fallback={<span className="size-7" />}>
              <NewSecretMenu places={versioned.map((row) => placeOf(environment.id, row))} />
            </Suspense>
          )}
        </>
      }
      empty={{
        title: "You can't see any engines",
        about:
          'Secrets are stored in key-value engines. A server operator mounts them, and your policies decide which you see.',
        command,
        action: newEngine,
      }}
      {...found?.props}
    >
      {isMounting && (
        <Suspense fallback={null}>
          <NewEngine
            environment={environment.id}
            taken={mounts.map(({ path }) => path)}
            onClose={() => {
              setMounting(false);
            }}
          />
        </Suspense>
      )}
      {progress ?? (
        <div className="flex flex-wrap items-end gap-x-8 gap-y-2 border-b border-line bg-surface px-4 py-3">
          <OpenPath environment={environment.id} />
          <Recent environment={environment.id} />
        </div>
      )}
    </ListPage>
  );
}

/** The secrets shown last since the page was loaded. */
function Recent({ environment }: { environment: string }) {
  const isSecret = ({ href }: { readonly href: string }): boolean =>
    href.startsWith(`${secretsHref(environment)}/`) && href.split('/')[4] === 'secret';
  const shown = recentPlaces().filter(isSecret).slice(0, 5);
  if (shown.length === 0) return null;
  return (
    <nav aria-label="Recent secrets" className="flex min-w-0 flex-col gap-1">
      <h2 className="text-meta text-ink-2">Recent</h2>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 font-mono text-meta">
        {shown.map(({ href, title }) => (
          <li key={href}>
            <Link href={href}>{title}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
