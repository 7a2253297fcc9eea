import type { Mount } from '@gatehouse/api-types/console/secret-metadata';
import { Button } from '@gatehouse/ui/button';
import { DataGrid, defaultGridView, type GridColumn } from '@gatehouse/ui/data-grid';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { SecretIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useMemo } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { folderHref } from '#components/places/secrets.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { useShortcutsSetting } from '#queries/settings.ts';

const noMounts: readonly Mount[] = [];

const columns: readonly GridColumn<Mount>[] = [
  { id: 'path', header: 'Engine', value: ({ path }) => path, width: 240, isRowHeader: true },
  { id: 'description', header: 'Description', value: ({ description }) => description, width: 420 },
  {
    id: 'version',
    header: 'Versions',
    value: ({ version }) => (version === 2 ? 'Kept' : 'Not kept'),
    width: 120,
  },
];
const idOf = ({ path }: Mount): string => path;

/** The key-value engines of the environment. */
export function MountsPage() {
  usePageTitle('Secrets');
  const environment = useEnvironment();
  const navigate = useNavigate();
  const query = useQuery(mountsQuery(environment.id));
  const [view, setView] = useGridView('secret-mounts', defaultGridView);
  const [hasLetterKeys] = useShortcutsSetting();
  const mounts = useMemo(() => query.data ?? noMounts, [query.data]);
  const hrefOf = ({ path }: Mount): string =>
    folderHref({ environment: environment.id, mount: path, path: '' });
  useShortcut({ keys: 'r', label: 'Load the list anew', group: 'Secrets', run: () => void query.refetch() });
  return (
    <>
      <PageHeader
        icon={SecretIcon}
        title="Secrets"
        actions={
          <IconButton
            icon={RotateCw}
            label="Load the list anew"
            shortcut="r"
            isPending={query.isFetching && query.data !== undefined}
            onPress={() => void query.refetch()}
          />
        }
      />
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<Mount>
          label="Engines"
          noun={{ one: 'engine', many: 'engines' }}
          columns={columns}
          rows={mounts}
          rowId={idOf}
          rowLabel={idOf}
          status={query.isPending ? 'loading' : query.isError ? 'failed' : 'ready'}
          rowHref={hrefOf}
          onOpen={(mount) => void navigate({ href: hrefOf(mount) })}
          sorting={null}
          sortedBy="given"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          empty={
            <EmptyState
              icon={SecretIcon}
              title="No engine is shown to you"
              action={<Button onPress={() => void query.refetch()}>Look again</Button>}
              command="vault secrets enable -path=secret -version=2 kv"
            >
              Secrets are kept in key-value engines. An operator of the server mounts one, and your policies
              say which of them you see.
            </EmptyState>
          }
          error={<Failure error={query.error} onRetry={() => void query.refetch()} />}
        />
      </div>
    </>
  );
}
