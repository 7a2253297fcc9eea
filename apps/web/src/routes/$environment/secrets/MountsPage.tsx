import type { Mount } from '@gatehouse/api-types/console/secret-metadata';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { SecretIcon } from '@gatehouse/ui/icon';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useSecretsCommand } from '#components/form/secrets-client.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { folderHref } from '#components/places/secrets.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { OpenPath } from './OpenPath.tsx';

const noMounts: readonly Mount[] = [];
const columns: readonly GridColumn<Mount>[] = [
  { id: 'path', header: 'Engine', value: ({ path }) => path, width: 240, isRowHeader: true },
  { id: 'description', header: 'Description', value: ({ description }) => description, width: 420 },
  {
    id: 'version',
    header: 'Versions',
    value: ({ version }) => (version === 2 ? 'Versioned' : 'Not versioned'),
    width: 120,
  },
];
const pathOf = ({ path }: Mount): string => path;

/** The key-value engines of the environment. */
export function MountsPage() {
  const environment = useEnvironment();
  const command = useSecretsCommand('vault secrets enable -path=secret -version=2 kv');
  const query = useQuery(mountsQuery(environment.id));
  return (
    <ListPage<Mount>
      title="Secrets"
      icon={SecretIcon}
      list="secret-mounts"
      label="Engines"
      noun={{ one: 'engine', many: 'engines' }}
      columns={columns}
      query={query}
      rows={query.data ?? noMounts}
      rowId={pathOf}
      rowLabel={pathOf}
      rowHref={({ path }) => folderHref({ environment: environment.id, mount: path, path: '' })}
      empty={{
        title: "You can't see any engines",
        about:
          'Secrets are stored in key-value engines. A server operator mounts them, and your policies decide which you see.',
        command,
      }}
    >
      <div className="border-b border-line bg-surface px-4 py-3">
        <OpenPath environment={environment.id} />
      </div>
    </ListPage>
  );
}
