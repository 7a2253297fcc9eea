import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { Button } from '@gatehouse/ui/button';
import type { GridColumn, GridNoun } from '@gatehouse/ui/data-grid';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { SearchField } from '@gatehouse/ui/search-field';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { ListGrid } from '#components/list/ListGrid.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { storeHref } from '#components/places/credential-sources.ts';
import { DetailCards } from '#components/record/DetailCard.tsx';
import { usePlaces } from '#components/record/placed-kind.ts';
import { nameOrId, reasonAgainstCreatingIn } from '#components/record/record-kind.ts';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { UsedByCard } from '#components/source/UsedByCard.tsx';
import { recordListQuery, type RecordCalls, type StoredRecord } from '#queries/records.ts';
import { credentialKinds } from '#queries/target-sources.ts';
import { shownStores } from '../kinds.ts';
import { storeSearch } from './store-search.ts';

const DeleteStore = lazy(async () => ({ default: (await import('./DeleteStore.tsx')).DeleteStore }));
const route = getRouteApi('/$environment/credential-sources/$store/');

/** The items in a store of one type, and the words for an empty store. */
export interface HeldInStore<Item extends StoredRecord> {
  readonly calls: Pick<RecordCalls<Item, never, never>, 'key' | 'list'>;
  /** The access controller's name for them, and the key of the list's view. */
  readonly collection: 'credentials' | 'credential-libraries';
  /** The address segment after the store's. */
  readonly segment: 'credentials' | 'libraries';
  readonly label: string;
  readonly noun: GridNoun;
  readonly columns: readonly GridColumn<Item>[];
  readonly hrefOf: (environment: string, store: string, id: string) => string;
  /** What they are for, and the CLI command that creates the first. */
  readonly purpose: string;
  readonly commandOf: (store: string) => string;
}

export interface StoreFrameProps<Item extends StoredRecord> {
  held: HeldInStore<Item>;
  /** Buttons before the one that creates another. */
  actions?: (store: CredentialStore) => ReactNode;
  /** Above everything else. */
  notice?: (store: CredentialStore) => ReactNode;
  /** The store's fields, around the card of the targets that use it. */
  details: (store: CredentialStore, usedBy: ReactNode) => ReactNode;
}

/** One credential store: its items and its fields. */
export function StoreFrame<Item extends StoredRecord & { name: string }>({
  held,
  actions,
  notice,
  details,
}: StoreFrameProps<Item>) {
  const { store: id } = route.useParams();
  const environment = useEnvironment();
  const [search, change] = useSearchState(storeSearch);
  const isDetails = search.tab === 'details';
  const query = useQuery(recordListQuery(held.calls, environment.id, id));
  const { one, many } = held.noun;
  const { find, ...list } = useWholeList<Item>([search, change], {
    items: query.data,
    columns: held.columns,
    rowId: idOf,
    noun: held.noun,
    finds: `Search ${many}`,
    firstSort: 'name',
  });
  const createButton = (store: CredentialStore, size: 28 | 32, words: string): ReactNode => {
    const reason = reasonAgainstCreatingIn(store, held.collection, many);
    return reason === undefined ? (
      <LinkButton
        href={`${storeHref(environment.id, store.id)}/${held.segment}/new`}
        size={size}
        variant="primary"
      >
        {words}
      </LinkButton>
    ) : (
      <Button size={size} variant="primary" disabledReason={reason}>
        {words}
      </Button>
    );
  };
  const capital = many.charAt(0).toUpperCase() + many.slice(1);
  return (
    <RecordDetail
      {...usePlaces(shownStores, id)}
      kind={shownStores}
      id={id}
      Deletion={DeleteStore}
      actions={(store) => (
        <>
          {actions?.(store)}
          {createButton(store, 28, `New ${one}`)}
        </>
      )}
      toolbar={() => (
        <Toolbar label="Store contents">
          <SegmentedControl
            label="Show"
            segments={[
              {
                value: 'held',
                label: `${capital}${query.data === undefined ? '' : ` ${query.data.length.toLocaleString('en')}`}`,
              },
              { value: 'details', label: 'Details' },
            ]}
            value={isDetails ? 'details' : 'held'}
            onChange={(next) => {
              change({ tab: next === 'details' ? next : undefined, q: undefined, sort: undefined });
            }}
          />
          {!isDetails && (
            <div className="w-full max-w-80 min-w-0">
              <SearchField label={find.label} value={find.text} onChange={find.write} />
            </div>
          )}
        </Toolbar>
      )}
    >
      {(store) => (
        <>
          {notice?.(store)}
          {isDetails ? (
            <DetailCards>
              {details(
                store,
                query.data && (
                  <UsedByCard
                    scope={store.scope_id}
                    ids={query.data.map((item) => item.id)}
                    kinds={credentialKinds}
                  />
                ),
              )}
            </DetailCards>
          ) : (
            <div className="flex min-h-0 flex-1 flex-col">
              <ListGrid<Item>
                {...list}
                list={held.collection}
                label={held.label}
                query={query}
                rowLabel={nameOrId}
                rowHref={(item) => held.hrefOf(environment.id, id, item.id)}
                empty={
                  <EmptyState
                    icon={shownStores.icon}
                    title={`No ${many} you can see`}
                    command={held.commandOf(id)}
                    action={createButton(store, 32, `Create the first ${one}`)}
                  >
                    {held.purpose}
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
