import type { Credential, CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { Button } from '@gatehouse/ui/button';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { LinkButton } from '@gatehouse/ui/link';
import { SearchField } from '@gatehouse/ui/search-field';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { useEnvironment } from '../../../../components/layout/use-environment.ts';
import { DetailCard, recordItems } from '../../../../components/record/DetailCard.tsx';
import { updatedColumn } from '../../../../components/record/placed-columns.tsx';
import { nameOrId, reasonAgainstCreatingIn } from '../../../../components/record/record-kind.ts';
import {
  sortingOf,
  withSorting,
  withWords,
  type RecordSearch,
} from '../../../../components/record/record-search.ts';
import { RecordDetail } from '../../../../components/record/RecordDetail.tsx';
import { RecordGrid } from '../../../../components/record/RecordGrid.tsx';
import { UsedByCard } from '../../../../components/source/UsedByCard.tsx';
import { credentials } from '../../../../queries/credential-sources.ts';
import { recordListQuery } from '../../../../queries/records.ts';
import { credentialKinds } from '../../../../queries/target-sources.ts';
import { typeLabel } from '../credential-types.ts';
import { shownStores } from '../kinds.ts';
import { credentialHref, crumbsOf, storeHref, storesHref } from '../places.ts';

const DeleteStore = lazy(async () => ({ default: (await import('./DeleteStore.tsx')).DeleteStore }));
const route = getRouteApi('/$environment/credential-sources/$store/');

const columns: readonly GridColumn<Credential>[] = [
  { id: 'name', header: 'Name', value: nameOrId, width: 220, isRowHeader: true, sortable: true },
  {
    id: 'type',
    header: 'Type',
    value: ({ type }) => typeLabel(type),
    width: 180,
    sortable: true,
  },
  {
    id: 'username',
    header: 'User name',
    value: ({ attributes }) => attributes.username,
    width: 160,
    isMono: true,
    sortable: true,
  },
  { id: 'id', header: 'Id', value: ({ id }) => id, width: 172, isMono: true, sortable: true },
  {
    id: 'description',
    header: 'Description',
    value: ({ description }) => description,
    width: 280,
    sortable: true,
  },
  updatedColumn<Credential>(),
];

/** One credential store: its credentials, what is stored about it. */
export function StorePage() {
  const { store: id } = route.useParams();
  const environment = useEnvironment();
  const search = route.useSearch();
  const isDetails = search.tab === 'details';
  const navigate = useNavigate();
  const query = useQuery(recordListQuery(credentials, environment.id, id));
  const change = (next: RecordSearch): void =>
    void navigate({
      to: '/$environment/credential-sources/$store',
      params: { environment: environment.id, store: id },
      search: next,
      replace: true,
    });
  return (
    <RecordDetail
      kind={shownStores}
      id={id}
      ancestors={crumbsOf(environment.id, undefined)}
      listHref={storesHref(environment.id)}
      editHref={`${storeHref(environment.id, id)}/edit`}
      Deletion={DeleteStore}
      actions={(store) => (
        <CreateButton store={store} size={28}>
          New credential
        </CreateButton>
      )}
      toolbar={() => (
        <Toolbar label="What is in the store">
          <SegmentedControl
            label="Show"
            segments={[
              {
                value: 'credentials',
                label: `Credentials${query.data === undefined ? '' : ` ${query.data.length.toLocaleString('en')}`}`,
              },
              { value: 'details', label: 'Details' },
            ]}
            value={isDetails ? 'details' : 'credentials'}
            onChange={(next) => {
              change(next === 'details' ? { tab: next } : {});
            }}
          />
          {!isDetails && (
            <div className="w-full max-w-80 min-w-0">
              <SearchField
                label="Search credentials"
                value={search.q ?? ''}
                onChange={(text) => {
                  change(withWords(search, text));
                }}
              />
            </div>
          )}
        </Toolbar>
      )}
    >
      {(store) =>
        isDetails ? (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <div className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-4 p-4 wide:grid-cols-2 wide:p-6">
              <DetailCard title="Identity" items={recordItems(store)} />
              {query.data && (
                <UsedByCard
                  scope={store.scope_id}
                  ids={query.data.map((credential) => credential.id)}
                  kinds={credentialKinds}
                />
              )}
            </div>
          </div>
        ) : (
          <div className="flex min-h-0 flex-1 flex-col">
            <RecordGrid<Credential>
              list="credentials"
              label="Credentials"
              noun={{ one: 'credential', many: 'credentials' }}
              columns={columns}
              query={query}
              nameOf={nameOrId}
              hrefOf={(credential) => credentialHref(environment.id, id, credential.id)}
              search={search.q ?? ''}
              onClearSearch={() => {
                change(withWords(search, ''));
              }}
              sorting={sortingOf(search)}
              onSortingChange={(sorting) => {
                change(withSorting(search, sorting));
              }}
              empty={
                <EmptyState
                  icon={shownStores.icon}
                  title="No credentials yet"
                  command={`boundary credentials create username-password -credential-store-id ${id} -username app -password env://PASSWORD`}
                  action={
                    <CreateButton store={store} size={32}>
                      Create the first credential
                    </CreateButton>
                  }
                >
                  A credential is handed to people who open a session, or injected into it without their
                  seeing it.
                </EmptyState>
              }
            />
          </div>
        )
      }
    </RecordDetail>
  );
}

function CreateButton({
  store,
  size,
  children,
}: {
  store: CredentialStore;
  size: 28 | 32;
  children: string;
}) {
  const environment = useEnvironment();
  const reason = reasonAgainstCreatingIn(store, 'credentials', 'credentials');
  return reason === undefined ? (
    <LinkButton href={`${storeHref(environment.id, store.id)}/credentials/new`} size={size} variant="primary">
      {children}
    </LinkButton>
  ) : (
    <Button size={size} variant="primary" disabledReason={reason}>
      {children}
    </Button>
  );
}
