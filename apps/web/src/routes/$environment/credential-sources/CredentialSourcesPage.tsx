import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { createFileRoute } from '@tanstack/react-router';
import { placedColumns } from '#components/record/placed-columns.tsx';
import { PlacedList } from '#components/record/PlacedList.tsx';
import { listSearch } from '#lib/search.ts';
import { credentialStores } from '#queries/credential-sources.ts';
import { prefetchPlaced } from '#queries/placed.ts';
import { shownStores } from './kinds.ts';
import { TokenBadge } from './TokenBadge.tsx';

export const Route = createFileRoute('/$environment/credential-sources/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    prefetchPlaced(credentialStores, environment);
  },
  component: CredentialSourcesPage,
});

const columns: readonly GridColumn<CredentialStore>[] = placedColumns<CredentialStore>().flatMap((column) =>
  column.id === 'type' ? [column, tokenColumn()] : [column],
);

/** The token status of stores of type Vault; other stores have none. */
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

/** The credential stores that you can see. */
function CredentialSourcesPage() {
  return (
    <PlacedList
      kind={shownStores}
      columns={columns}
      empty={{
        title: 'No credential stores you can see',
        about:
          'A credential store contains credentials, or requests them from a secrets server. Targets give them to users, or inject them into sessions.',
        command: 'boundary credential-stores create static -scope-id p_1234567890 -name databases',
      }}
    />
  );
}
