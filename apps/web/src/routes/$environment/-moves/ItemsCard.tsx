import { pieceStates } from '@gatehouse/api-types/console/move-values';
import type { Move, MoveItem } from '@gatehouse/api-types/console/moves';
import { Button } from '@gatehouse/ui/button';
import { emptyGridSelection, type GridSelection } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { lazy } from '@gatehouse/ui/lazy';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { Select } from '@gatehouse/ui/select';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, PackageCheck, RotateCw } from 'lucide-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { FindField } from '#components/list/ListFind.tsx';
import { ListGrid } from '#components/list/ListGrid.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import { kindWords } from '#components/moves/move-kinds.ts';
import { isMoving } from '#components/moves/move-state.ts';
import { pieceStateWords } from '#components/moves/move-words.ts';
import { moveHref } from '#components/places/moves.ts';
import { usePolling } from '#lib/polling.ts';
import { matchingItems, moveItemsPoll, moveItemsQuery, staleItems, type ItemsQuery } from '#queries/move.ts';
import { withItems } from './choice.ts';
import { itemColumns, itemsView } from './item-columns.tsx';
import { moveSearch } from './move-search.ts';
import type { ChoiceEdit } from './use-choice.ts';
import type { MoveAction } from './use-move-action.ts';

const ItemPanel = lazy(async () => ({ default: (await import('./ItemPanel.tsx')).ItemPanel }));

const shows = [...pieceStates, 'clashes', 'differs'] as const;
const all = 'all';
const noItems: readonly MoveItem[] = [];
const nameOf = ({ name }: MoveItem): string => name;

/** Pages to poll while the move works. With more pages, the list is refreshed only on request. */
const polledPages = 3;

/** A move's boxes or modules, searched, filtered and paged by the console. */
export function ItemsCard({
  environment,
  move,
  edit,
  action,
  retry,
}: {
  environment: string;
  move: Move;
  /** Undefined while the choice can't change. */
  edit: ChoiceEdit | undefined;
  action: MoveAction;
  /** Retries an item's failed pieces. */
  retry: (item: MoveItem) => void;
}) {
  const [search, change] = useSearchState(moveSearch);
  const { kind } = move;
  const { one, many } = kindWords[kind];
  const noun = { one, many };
  const place = { environment, move: move.id };
  const show = shows.find((state) => state === search.show);
  const narrow: ItemsQuery = { q: search.q, show };
  const { text, write } = useSearchText(search.q ?? '', (q) => {
    change({ q: q === '' ? undefined : q });
  });
  const query = useInfiniteQuery(moveItemsQuery(place, narrow));
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? noItems, [query.data]);
  const pages = query.data?.pages.length ?? 1;
  usePolling(
    moveItemsPoll(place, narrow),
    3 + pages,
    isMoving(move) && query.isSuccess && pages <= polledPages,
  );
  const client = useQueryClient();
  const { state, revision, planned_time: plannedTime } = move;
  // The last poll may predate the end of the work.
  useEffect(() => {
    staleItems(client, { environment, move: move.id });
  }, [client, environment, move.id, state, revision, plannedTime]);
  const total = query.data?.pages.at(-1)?.total;
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const columns = useMemo(() => itemColumns(kind), [kind]);
  const chooses = (isChosen: boolean): void => {
    action.run('items', async () => {
      const ids = selection.kind === 'rows' ? [...selection.ids] : await matchingItems(place, narrow);
      edit?.change({ items: withItems(edit.choice.items, ids, isChosen) });
      setSelection(emptyGridSelection);
    });
  };
  const copyOnly = (): void => {
    action.run('items', async () => {
      const ids = selection.kind === 'rows' ? [...selection.ids] : await matchingItems(place, narrow);
      edit?.change({ items: { kind: 'only', ids: [...ids] } });
      setSelection(emptyGridSelection);
    });
  };
  const cannotChoose = `You can choose ${many} while the move is ready to copy, paused or done.`;
  const actionsOf = (item: MoveItem): readonly MenuEntry[] => [
    ...(item.chosen
      ? [
          {
            id: 'leave-out',
            label: 'Exclude',
            icon: Ban,
            disabledReason: edit === undefined ? cannotChoose : undefined,
            onAction: () => {
              edit?.change({ items: withItems(edit.choice.items, [item.id], false) });
            },
          },
        ]
      : [
          {
            id: 'copy',
            label: 'Include',
            icon: PackageCheck,
            disabledReason: edit === undefined ? cannotChoose : undefined,
            onAction: () => {
              edit?.change({ items: withItems(edit.choice.items, [item.id], true) });
            },
          },
        ]),
    {
      id: 'retry',
      label: 'Retry failed copies',
      icon: RotateCw,
      disabledReason: item.pieces.failed > 0 || item.problem !== null ? undefined : 'Nothing failed.',
      onAction: () => {
        retry(item);
      },
    },
  ];
  const opened = search.item;
  const isNarrowed = search.q !== undefined || show !== undefined;
  return (
    <section
      aria-label={kind === 'boxes' ? 'Boxes' : 'Modules'}
      className="flex h-140 min-h-0 min-w-0 flex-col overflow-hidden rounded-control border border-line bg-surface wide:h-auto wide:min-h-140 wide:self-stretch wide:contain-size"
    >
      <div className="border-b border-line px-4 py-1.5">
        <Toolbar label={`Find ${many}`}>
          <FindField
            find={{ label: 'Search names', text, write, isPending: query.isPlaceholderData }}
            action={`Search ${many}`}
            group="Move"
          />
          <div className="w-44 shrink-0 max-narrow:w-32">
            <Select
              label="Show"
              isLabelHidden
              size={28}
              value={show ?? all}
              options={[
                { id: all, label: `All ${many}` },
                { id: 'clashes', label: 'With clashes' },
                { id: 'differs', label: 'Missing or different' },
                ...pieceStates.map((state) => ({ id: state, label: pieceStateWords[state].word })),
              ]}
              onChange={(value) => {
                change({ show: shows.find((state) => state === value) });
              }}
            />
          </div>
        </Toolbar>
      </div>
      <ListGrid<MoveItem>
        list={`move-items-${kind}`}
        firstView={itemsView}
        label={kind === 'boxes' ? 'Boxes of the move' : 'Modules of the move'}
        noun={noun}
        columns={columns}
        query={query}
        rows={rows}
        rowId={idOf}
        rowLabel={nameOf}
        rowHref={({ id }) => `${moveHref(environment, kind, move.id)}?item=${id}`}
        onOpen={({ id }) => {
          change({ item: id }, true);
        }}
        rowActions={actionsOf}
        {...(total !== undefined && { matchCount: { value: total, isExact: true } })}
        onLoadMore={() => {
          if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
        }}
        {...(edit !== undefined && {
          selection,
          onSelectionChange: setSelection,
          canSelectAllMatching: true,
          bulkActions: (
            <>
              <Button size={28} onPress={copyOnly}>
                Copy only these
              </Button>
              <Button
                size={28}
                onPress={() => {
                  chooses(true);
                }}
              >
                Include
              </Button>
              <Button
                size={28}
                onPress={() => {
                  chooses(false);
                }}
              >
                Exclude
              </Button>
            </>
          ),
        })}
        narrowed={
          isNarrowed
            ? {
                title: `No ${many} match.`,
                label: `Show all ${many}`,
                onClear: () => {
                  write('');
                  change({ q: undefined, show: undefined });
                },
              }
            : undefined
        }
        empty={
          <NoMatches
            title={
              move.state === 'planning' || move.pause?.while === 'planning'
                ? `No ${many} have been read yet.`
                : `The source doesn't have these ${many}.`
            }
            action={
              <Button size={28} onPress={() => void query.refetch()}>
                Refresh the list
              </Button>
            }
          />
        }
      />
      {opened !== undefined && (
        <Suspense fallback={null}>
          <ItemPanel
            environment={environment}
            move={move}
            item={opened}
            retry={retry}
            onClose={() => {
              change({ item: undefined });
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
