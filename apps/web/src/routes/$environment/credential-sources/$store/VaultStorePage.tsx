import type { CredentialLibrary } from '@gatehouse/api-types/console/credential-libraries';
import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { Button } from '@gatehouse/ui/button';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { EmptyState } from '@gatehouse/ui/empty-state';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { LinkButton } from '@gatehouse/ui/link';
import { SearchField } from '@gatehouse/ui/search-field';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { Time } from '../../../../components/layout/Time.tsx';
import { useEnvironment } from '../../../../components/layout/use-environment.ts';
import { DetailCard, recordItems } from '../../../../components/record/DetailCard.tsx';
import { updatedColumn } from '../../../../components/record/placed-columns.tsx';
import {
  nameOrId,
  reasonAgainst,
  reasonAgainstCreatingIn,
} from '../../../../components/record/record-kind.ts';
import {
  sortingOf,
  withSorting,
  withWords,
  type RecordSearch,
} from '../../../../components/record/record-search.ts';
import { RecordDetail } from '../../../../components/record/RecordDetail.tsx';
import { RecordGrid } from '../../../../components/record/RecordGrid.tsx';
import { UsedByCard } from '../../../../components/source/UsedByCard.tsx';
import { credentialLibraries } from '../../../../queries/credential-libraries.ts';
import { recordListQuery } from '../../../../queries/records.ts';
import { credentialKinds } from '../../../../queries/target-sources.ts';
import { typeLabel } from '../credential-types.ts';
import { shownStores } from '../kinds.ts';
import { crumbsOf, libraryHref, storeHref, storesHref } from '../places.ts';
import { TokenBadge } from '../TokenBadge.tsx';
import { isTokenDead, TokenBanner } from '../TokenBanner.tsx';

const DeleteStore = lazy(async () => ({ default: (await import('./DeleteStore.tsx')).DeleteStore }));
const route = getRouteApi('/$environment/credential-sources/$store/');

const columns: readonly GridColumn<CredentialLibrary>[] = [
  { id: 'name', header: 'Name', value: nameOrId, width: 200, isRowHeader: true, sortable: true },
  {
    id: 'path',
    header: 'Path',
    value: ({ attributes }) => attributes.path,
    width: 280,
    isMono: true,
    sortable: true,
  },
  {
    id: 'credential_type',
    header: 'Issues',
    value: ({ credential_type }) => typeLabel(credential_type),
    width: 180,
    sortable: true,
  },
  { id: 'id', header: 'Id', value: ({ id }) => id, width: 148, isMono: true, sortable: true },
  {
    id: 'description',
    header: 'Description',
    value: ({ description }) => description,
    width: 220,
    sortable: true,
  },
  updatedColumn<CredentialLibrary>(),
];

/** One credential store of type vault: its libraries, its secrets server, and how its token is. */
export function VaultStorePage() {
  const { store: id } = route.useParams();
  const environment = useEnvironment();
  const search = route.useSearch();
  const isDetails = search.tab === 'details';
  const navigate = useNavigate();
  const query = useQuery(recordListQuery(credentialLibraries, environment.id, id));
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
        <>
          <RotateButton store={store} />
          <CreateButton store={store} size={28}>
            New library
          </CreateButton>
        </>
      )}
      toolbar={() => (
        <Toolbar label="What is in the store">
          <SegmentedControl
            label="Show"
            segments={[
              {
                value: 'libraries',
                label: `Libraries${query.data === undefined ? '' : ` ${query.data.length.toLocaleString('en')}`}`,
              },
              { value: 'details', label: 'Details' },
            ]}
            value={isDetails ? 'details' : 'libraries'}
            onChange={(next) => {
              change(next === 'details' ? { tab: next } : {});
            }}
          />
          {!isDetails && (
            <div className="w-full max-w-80 min-w-0">
              <SearchField
                label="Search libraries"
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
      {(store) => (
        <>
          {store.attributes && (
            <div className="empty:hidden p-4">
              <TokenBanner
                store={id}
                attributes={store.attributes}
                cannotRotate={reasonAgainst(store, 'update', 'credential store')}
              />
            </div>
          )}
          {isDetails ? (
            <div className="min-h-0 flex-1 overflow-y-auto">
              <div className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-4 p-4 wide:grid-cols-2 wide:p-6">
                <div className="flex flex-col gap-4">
                  <DetailCard title="Secrets server" items={serverItems(store)} />
                  {query.data && (
                    <UsedByCard
                      scope={store.scope_id}
                      ids={query.data.map((library) => library.id)}
                      kinds={credentialKinds}
                    />
                  )}
                </div>
                <DetailCard title="Identity" items={recordItems(store)} />
              </div>
            </div>
          ) : (
            <div className="flex min-h-0 flex-1 flex-col">
              <RecordGrid<CredentialLibrary>
                list="credential-libraries"
                label="Credential libraries"
                noun={{ one: 'library', many: 'libraries' }}
                columns={columns}
                query={query}
                nameOf={nameOrId}
                hrefOf={(library) => libraryHref(environment.id, id, library.id)}
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
                    title="No libraries yet"
                    command={`boundary credential-libraries create vault-generic -credential-store-id ${id} -vault-path secret/data/databases/orders -credential-type username_password`}
                    action={
                      <CreateButton store={store} size={32}>
                        Create the first library
                      </CreateButton>
                    }
                  >
                    A library asks a path of the secrets server for credentials, each time somebody opens a
                    session on a target that uses it.
                  </EmptyState>
                }
              />
            </div>
          )}
        </>
      )}
    </RecordDetail>
  );
}

function serverItems({ attributes }: CredentialStore): readonly KeyValue[] {
  if (attributes === undefined) return [];
  const stored = 'Stored encrypted. You cannot see it, but you can set a new one.';
  const optional = (label: string, value: string): readonly KeyValue[] =>
    value === '' ? [] : [{ label, value, isMono: true, copyText: value }];
  return [
    { label: 'Address', value: attributes.address, isMono: true, copyText: attributes.address },
    ...optional('Namespace', attributes.namespace),
    {
      label: 'Token',
      value: (
        <span className="flex flex-wrap items-center gap-2">
          <TokenBadge attributes={attributes} /> {stored}
        </span>
      ),
    },
    ...(attributes.token_expiration_time === '' || isTokenDead(attributes)
      ? []
      : [
          {
            label: 'Token lasts until',
            value: (
              <>
                <Time value={attributes.token_expiration_time} /> (
                <Time value={attributes.token_expiration_time} isRelative />
                ), unless it is renewed
              </>
            ),
          },
        ]),
    ...optional('CA certificate', attributes.ca_cert),
    ...optional('TLS server name', attributes.tls_server_name),
    ...optional('Client certificate', attributes.client_certificate),
    ...(attributes.client_certificate_key_hmac === ''
      ? []
      : [{ label: 'Client certificate key', value: stored }]),
    ...(attributes.tls_skip_verify ? [{ label: 'Certificates', value: 'Any is accepted' }] : []),
  ];
}

function RotateButton({ store }: { store: CredentialStore }) {
  const environment = useEnvironment();
  const reason = reasonAgainst(store, 'update', 'credential store');
  return reason === undefined ? (
    <LinkButton href={`${storeHref(environment.id, store.id)}/token`} size={28}>
      Rotate token
    </LinkButton>
  ) : (
    <Button size={28} disabledReason={reason}>
      Rotate token
    </Button>
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
  const reason = reasonAgainstCreatingIn(store, 'credential-libraries', 'libraries');
  return reason === undefined ? (
    <LinkButton href={`${storeHref(environment.id, store.id)}/libraries/new`} size={size} variant="primary">
      {children}
    </LinkButton>
  ) : (
    <Button size={size} variant="primary" disabledReason={reason}>
      {children}
    </Button>
  );
}
