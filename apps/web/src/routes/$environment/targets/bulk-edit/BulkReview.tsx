import { StatusDot } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { DataGrid, defaultGridView, type GridColumn, type GridView } from '@gatehouse/ui/data-grid';
import { DiffList } from '@gatehouse/ui/diff-list';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { Icon } from '@gatehouse/ui/icon';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { ArrowRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { BulkRow } from './bulk-run.ts';
import { groupOf, groupWords, rowWords, type BulkGroup } from './bulk-words.ts';

/** Targets whose story is told in full below the table. */
const mostTold = 20;
const groups = Object.keys(groupWords) as readonly BulkGroup[];

const columns: readonly GridColumn<BulkRow>[] = [
  {
    id: 'name',
    header: 'Target',
    value: ({ target }) => target.name,
    width: 180,
    isRowHeader: true,
    sortable: true,
  },
  {
    id: 'changes',
    header: 'Changes',
    value: ({ plan }) =>
      plan.kind === 'change'
        ? plan.words
            .map(({ label, before, after }) => `${label}: ${said(before)} to ${said(after)}`)
            .join('; ')
        : '',
    cell: ({ plan }) =>
      plan.kind === 'change' && (
        <span className="flex min-w-0 gap-3">
          {plan.words.map(({ id, label, before, after }) => (
            <span key={id} className="flex min-w-0 items-center gap-1 truncate">
              <span className="text-ink-2">{label}:</span>
              <del className="truncate text-ink-2 decoration-ink-3">{said(before)}</del>
              <Icon icon={ArrowRight} size={12} className="shrink-0 text-ink-3" />
              <ins className="truncate no-underline">{said(after)}</ins>
            </span>
          ))}
        </span>
      ),
    width: 330,
  },
  {
    id: 'state',
    header: 'State',
    value: (row) => rowWords(row).word,
    cell: (row) => {
      const { word, tone } = rowWords(row);
      return (
        <StatusDot tone={tone} isBusy={row.state.kind === 'saving'}>
          {word}
        </StatusDot>
      );
    },
    width: 160,
    sortable: true,
  },
];

function said(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'not set';
}

/** What a bulk edit does to each target, and what became of it. */
export function BulkReview({ rows }: { rows: readonly BulkRow[] }) {
  const [view, setView] = useState<GridView>(defaultGridView);
  const [sorting, setSorting] = useState<Parameters<typeof DataGrid<BulkRow>>[0]['sorting']>(null);
  const [group, setGroup] = useState<BulkGroup | 'all'>('all');
  const counts = useMemo(() => {
    const found = new Map<BulkGroup, number>();
    for (const row of rows) found.set(groupOf(row), (found.get(groupOf(row)) ?? 0) + 1);
    return found;
  }, [rows]);
  const shown = useMemo(
    () => (group === 'all' ? rows : rows.filter((row) => groupOf(row) === group)),
    [rows, group],
  );
  const told = rows.filter((row) => rowWords(row).detail !== undefined);
  return (
    <div className="flex flex-col gap-3">
      <div className="max-w-full overflow-x-auto p-0.5">
        <SegmentedControl
          label="Which targets"
          value={group}
          onChange={setGroup}
          segments={[
            { value: 'all', label: `All ${rows.length.toLocaleString('en')}` },
            ...groups
              .filter((one) => counts.has(one) || one === group)
              .map((one) => ({
                value: one,
                label: `${groupWords[one]} ${(counts.get(one) ?? 0).toLocaleString('en')}`,
              })),
          ]}
        />
      </div>
      <div className="flex h-[min(40vh,360px)] flex-col overflow-hidden rounded-control border border-line">
        <DataGrid<BulkRow>
          label="What changes"
          noun={{ one: 'target', many: 'targets' }}
          columns={columns}
          rows={shown}
          rowId={({ target }) => target.id}
          rowLabel={({ target }) => target.name}
          status="ready"
          sorting={sorting}
          onSortingChange={setSorting}
          sortedBy="here"
          view={view}
          onViewChange={setView}
          empty={
            <NoMatches
              title="None of them."
              action={
                <Button
                  size={28}
                  onPress={() => {
                    setGroup('all');
                  }}
                >
                  Show all
                </Button>
              }
            />
          }
          error={null}
        />
      </div>
      {told.length > 0 && (
        <ul aria-label="What stands in the way" className="flex flex-col gap-3">
          {told.slice(0, mostTold).map((row) => {
            const { word, detail } = rowWords(row);
            const { target, state } = row;
            return (
              <li key={target.id} className="flex flex-col gap-1.5 text-body">
                <p>
                  <span className="font-medium text-ink-1">{target.name}</span>{' '}
                  <span className="text-ink-2">
                    {word}. {detail}
                  </span>
                </p>
                {state.kind === 'changed' && state.others.length > 0 && (
                  <DiffList
                    label={`What others changed in ${target.name}`}
                    beforeLabel="You saw"
                    afterLabel="Now"
                    changes={state.others}
                  />
                )}
              </li>
            );
          })}
          {told.length > mostTold && (
            <li className="text-meta text-ink-2">
              and {(told.length - mostTold).toLocaleString('en')} more, listed above
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
