import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { CredentialSourceIcon } from '@gatehouse/ui/icon';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { storeHref, storesHref } from '#components/places/credential-sources.ts';
import { placedColumns } from '#components/record/placed-columns.tsx';
import { nameOrId } from '#components/record/record-kind.ts';
import { useCreateInProjects } from '#components/record/use-create-in-projects.ts';
import { listSearch } from '#lib/search.ts';
import { credentialStores } from '#queries/credential-sources.ts';
import { globalScope } from '#queries/global-scope.ts';
import { recordListQuery } from '#queries/records.ts';
import { TokenBadge } from './TokenBadge.tsx';

const noun = { one: 'credential store', many: 'credential stores' };
const columns: readonly GridColumn<CredentialStore>[] = placedColumns<CredentialStore>().flatMap((column) =>
  column.id === 'type' ? [column, tokenColumn()] : [column],
);

/** How the token of a store of type vault is; stores of other types have none. */
function tokenColumn(): GridColumn<CredentialStore> {
  return {
    id: 'token',
    header: 'Token',
    value: ({ attributes }) => attributes?.token_status ?? '',
    cell: ({ attributes }) => attributes && <TokenBadge attributes={attributes} />,
    width: 120,
    sortable: true,
  };
}

/** All credential stores that the person may see. */
export function CredentialSourcesPage() {
  const environment = useEnvironment();
  const query = useQuery(recordListQuery(credentialStores, environment.id, globalScope));
  const list = useWholeList<CredentialStore>(useSearchState(listSearch), {
    items: query.data,
    columns,
    rowId: idOf,
    noun,
    finds: 'Search name, id, project, description',
  });
  return (
    <ListPage<CredentialStore>
      {...list}
      title="Credential sources"
      icon={CredentialSourceIcon}
      list="credential-stores"
      query={query}
      rowLabel={nameOrId}
      rowHref={({ id }) => storeHref(environment.id, id)}
      create={useCreateInProjects('credential-stores', noun, `${storesHref(environment.id)}/new`)}
      empty={{
        about:
          'A credential store holds credentials, or asks a secrets server for them. Targets hand them to people, or inject them into their sessions.',
        command: 'boundary credential-stores create static -scope-id p_1234567890 -name databases',
      }}
    />
  );
}
