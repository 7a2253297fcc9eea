import { StatusDot } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { DataGrid, defaultGridView, type GridColumn, type GridView } from '@gatehouse/ui/data-grid';
import { DiffList, type FieldChange } from '@gatehouse/ui/diff-list';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { Icon } from '@gatehouse/ui/icon';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { ArrowRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { BulkPath } from './bulk-plan.ts';
import type { BulkRow } from './bulk-run.ts';
import { groupOf, groupWords, rowWords, type BulkGroup } from './bulk-words.ts';

/** The maximum number of problems described below the table. */
const mostTold = 20;
/** Names before "and 12 more". */
const mostNamed = 5;
const groups = Object.keys(groupWords) as readonly BulkGroup[];

/** A column per chosen field, with the current and the new value. */
function columnsFor(fields: readonly BulkField[]): readonly GridColumn<BulkRow>[] {
  return [
    {
      id: 'name',
      header: 'Target',
      value: ({ target }) => target.name,
      width: 150,
      isRowHeader: true,
      sortable: true,
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
      width: 156,
      sortable: true,
    },
    ...fields.map(({ path, label }): GridColumn<BulkRow> => {
      const wordsOf = ({ plan }: BulkRow) =>
        plan.kind === 'change' ? plan.words.find(({ id }) => id === path) : undefined;
      return {
        id: path,
        header: label,
        value: (row) => {
          const words = wordsOf(row);
          return words && `${said(words.before)} to ${said(words.after)}`;
        },
        cell: (row) => {
          const words = wordsOf(row);
          return (
            words && (
              <span className="flex min-w-0 items-center gap-1.5">
                <del className="min-w-0 truncate text-ink-2 decoration-ink-3">{said(words.before)}</del>
                <Icon icon={ArrowRight} size={12} className="shrink-0 text-ink-3" />
                <ins className="min-w-0 truncate no-underline">{said(words.after)}</ins>
              </span>
            )
          );
        },
        width: 300,
      };
    }),
  ];
}

function said(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'not set';
}

export interface BulkField {
  readonly path: BulkPath;
  readonly label: string;
}

/** What a bulk edit changes on each target, and the outcome. */
export function BulkReview({ rows, fields }: { rows: readonly BulkRow[]; fields: readonly BulkField[] }) {
  const columns = useMemo(() => columnsFor(fields), [fields]);
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
  const told = useMemo(() => storiesOf(rows), [rows]);
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
              title="None."
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
        <ul aria-label="Problems" className="flex flex-col gap-3">
          {told.slice(0, mostTold).map(({ key, words, targets, others }) => (
            <li key={key} className="flex flex-col gap-1.5 text-body">
              <p>
                <span className="font-medium text-ink-1">{namesOf(targets)}</span>{' '}
                <span className="text-ink-2">{words}</span>
              </p>
              {others.length > 0 && (
                <DiffList
                  label={`Changes by others to ${namesOf(targets)}`}
                  beforeLabel="You saw"
                  afterLabel="Now"
                  changes={others}
                />
              )}
            </li>
          ))}
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

interface Story {
  readonly key: string;
  readonly words: string;
  readonly targets: readonly string[];
  readonly others: readonly FieldChange[];
}

/** The problems, each described once for all targets it affects. */
function storiesOf(rows: readonly BulkRow[]): readonly Story[] {
  const alike = new Map<string, string[]>();
  const stories: Story[] = [];
  for (const row of rows) {
    const { word, detail } = rowWords(row);
    if (detail === undefined) continue;
    const { target, state } = row;
    const words = `${word}. ${detail}`;
    const others = state.kind === 'changed' ? state.others : [];
    const known = others.length === 0 ? alike.get(words) : undefined;
    if (known) {
      known.push(target.name);
      continue;
    }
    const targets = [target.name];
    if (others.length === 0) alike.set(words, targets);
    stories.push({ key: target.id, words, targets, others });
  }
  return stories;
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return rest > 0
    ? `${names.slice(0, mostNamed).join(', ')} and ${rest.toLocaleString('en')} more`
    : names.join(', ');
}
