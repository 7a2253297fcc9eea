import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { CredentialSourceIcon } from '@gatehouse/ui/icon';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { storeHref, storesHref } from '#components/places/credential-sources.ts';
import { placedColumns } from '#components/record/placed-columns.tsx';
import { PlacedRecordsPage } from '#components/record/PlacedRecordsPage.tsx';
import { credentialStores } from '#queries/credential-sources.ts';
import { globalScope } from '#queries/global-scope.ts';
import { recordListQuery } from '#queries/records.ts';
import { TokenBadge } from './TokenBadge.tsx';

const route = getRouteApi('/$environment/credential-sources/');
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
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(recordListQuery(credentialStores, environment.id, globalScope));
  return (
    <PlacedRecordsPage<CredentialStore>
      title="Credential sources"
      list="credential-stores"
      noun={{ one: 'credential store', many: 'credential stores' }}
      icon={CredentialSourceIcon}
      columns={columns}
      query={query}
      hrefOf={({ id }) => storeHref(environment.id, id)}
      newHref={`${storesHref(environment.id)}/new`}
      collection="credential-stores"
      about="A credential store holds credentials, or asks a secrets server for them. Targets hand them to people, or inject them into their sessions."
      command="boundary credential-stores create static -scope-id p_1234567890 -name databases"
      search={search}
      onSearch={(next) =>
        void navigate({
          to: '/$environment/credential-sources',
          params: { environment: environment.id },
          search: next,
          replace: true,
        })
      }
    />
  );
}
