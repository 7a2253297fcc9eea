import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import type { MoveSummary } from '@gatehouse/api-types/console/moves';
import { StatusDot } from '@gatehouse/ui/badge';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { useQuery } from '@tanstack/react-query';
import { PackageOpen } from 'lucide-react';
import { useMemo } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { kindWords } from '#components/moves/move-kinds.ts';
import { hostOf, isMoving, moveTitle, shareDone, stateWords } from '#components/moves/move-state.ts';
import { chosenWords, ownerWords } from '#components/moves/move-words.ts';
import { moveHref, newMoveHref } from '#components/places/moves.ts';
import { byteSize } from '#lib/byte-size.ts';
import { usePolling } from '#lib/polling.ts';
import { listSearch } from '#lib/search.ts';
import { movesQuery } from '#queries/moves.ts';

const noun = { one: 'move', many: 'moves' };

/** All moves of boxes or modules, running and ended. */
export function MovesPage({ kind }: { kind: MoveKind }) {
  const { id: environment } = useEnvironment();
  const query = useQuery(movesQuery(environment));
  const items = useMemo(() => query.data?.filter((move) => move.kind === kind), [query.data, kind]);
  usePolling(movesQuery(environment), items?.some(isMoving) === true ? 5 : 30, query.isSuccess);
  const { many } = kindWords[kind];
  const list = useWholeList<MoveSummary>(useSearchState(listSearch), {
    items,
    columns,
    rowId: idOf,
    noun,
    finds: 'Search source, state, owner',
  });
  const up = `/${environment}/${kind}`;
  return (
    <ListPage<MoveSummary>
      {...list}
      title="Moves"
      icon={PackageOpen}
      pageTitle={`Moves of ${many}`}
      list={`moves-of-${kind}`}
      label={`Moves of ${many}`}
      query={query}
      ancestors={[{ id: kind, label: kind === 'boxes' ? 'Boxes' : 'Modules', href: up }]}
      up={up}
      rowLabel={moveTitle}
      rowHref={({ id }) => moveHref(environment, kind, id)}
      create={{
        href: newMoveHref(environment, kind),
        reason: undefined,
        label: `Import ${many}`,
      }}
      empty={{
        title: `No moves of ${many} yet`,
        about: `A move reads another registry, shows what it would copy, and copies what you choose. To list the ${many} you use today, run this command. You can paste its output when you start a move.`,
        command: kind === 'boxes' ? 'vagrant box list' : 'grep -rh "source *=" --include="*.tf" .',
        create: `Import ${many}`,
      }}
    />
  );
}

const columns: readonly GridColumn<MoveSummary>[] = [
  {
    id: 'source',
    header: 'From',
    value: ({ source }) => hostOf(source.address),
    width: 240,
    isRowHeader: true,
    sortable: true,
    below: (move) => stateWords(move).word,
  },
  {
    id: 'state',
    header: 'State',
    value: (move) => stateWords(move).word,
    cell: (move) => {
      const { word, tone, isBusy } = stateWords(move);
      return (
        <StatusDot tone={tone} isBusy={isBusy}>
          {word}
        </StatusDot>
      );
    },
    width: 200,
    sortable: true,
  },
  {
    id: 'items',
    header: 'Chosen',
    value: ({ kind, items }) => chosenWords(kind, items),
    width: 160,
  },
  {
    id: 'progress',
    header: 'Copied',
    value: (move) => (move.state === 'planning' || move.state === 'planned' ? null : shareDone(move)),
    cell: (move) =>
      move.state === 'planning' || move.state === 'planned'
        ? ''
        : `${byteSize(move.bytes.copied)} (${String(Math.floor(shareDone(move) * 100))} %)`,
    width: 144,
    align: 'end',
    sortable: true,
  },
  {
    id: 'failed',
    header: 'Failed',
    value: ({ pieces }) => pieces.failed,
    cell: ({ pieces }) => (pieces.failed === 0 ? '' : pieces.failed.toLocaleString('en')),
    width: 88,
    align: 'end',
    sortable: true,
  },
  { id: 'owner', header: 'Owner', value: ownerWords, width: 144, sortable: true },
  {
    id: 'updated',
    header: 'Updated',
    value: ({ updated_time: time }) => time,
    cell: ({ updated_time: time }) => <Time value={time} isRelative />,
    width: 128,
    sortable: true,
  },
  {
    id: 'created',
    header: 'Created',
    value: ({ created_time: time }) => time,
    cell: ({ created_time: time }) => <Time value={time} isRelative />,
    width: 128,
    sortable: true,
  },
];
