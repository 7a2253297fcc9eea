import type { Target } from '@gatehouse/api-types/console/targets';
import { Tag } from '@gatehouse/ui/badge';
import type { GridColumn, GridSorting, GridView } from '@gatehouse/ui/data-grid';
import { Time } from '#components/environment/Time.tsx';
import type { Arranging } from '#components/table/arrange.ts';
import { showDuration, showHostSets, showLimit } from '#components/targets/show-target.ts';

/** The list's columns; `value` is the sort key. */
export const targetColumns: readonly GridColumn<Target>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (target) => target.name,
    below: (target) => `${target.address || showHostSets(target)} · port ${target.attributes.default_port}`,
    width: 200,
    isRowHeader: true,
    sortable: true,
  },
  { id: 'id', header: 'ID', value: (target) => target.id, width: 132, isMono: true, sortable: true },
  {
    id: 'address',
    header: 'Address',
    value: (target) => target.address,
    cell: (target) =>
      target.address === '' && target.host_source_ids.length > 0 ? (
        <span className="truncate font-sans text-ink-3">{showHostSets(target)}</span>
      ) : undefined,
    width: 320,
    isMono: true,
    sortable: true,
  },
  {
    id: 'default_port',
    header: 'Port',
    value: (target) => target.attributes.default_port,
    cell: (target) => target.attributes.default_port,
    width: 64,
    align: 'end',
    sortable: true,
  },
  {
    id: 'type',
    header: 'Type',
    value: (target) => target.type,
    cell: (target) => <Tag isMono>{target.type}</Tag>,
    width: 60,
    sortable: true,
  },
  {
    id: 'scope',
    header: 'Project',
    value: (target) => target.scope.name || target.scope_id,
    width: 120,
    sortable: true,
  },
  {
    id: 'description',
    header: 'Description',
    value: (target) => target.description,
    width: 280,
    sortable: true,
  },
  {
    id: 'session_max_seconds',
    header: 'Maximum session duration',
    value: (target) => target.session_max_seconds,
    cell: (target) => showDuration(target.session_max_seconds),
    width: 136,
    align: 'end',
    sortable: true,
  },
  {
    id: 'session_connection_limit',
    header: 'Connections',
    value: (target) => target.session_connection_limit,
    cell: (target) => showLimit(target.session_connection_limit),
    width: 116,
    align: 'end',
    sortable: true,
  },
  {
    id: 'egress_worker_filter',
    header: 'Egress filter',
    value: (target) => target.egress_worker_filter,
    width: 220,
    isMono: true,
  },
  {
    id: 'created_time',
    header: 'Created',
    value: (target) => target.created_time,
    cell: (target) => <Time value={target.created_time} isRelative />,
    width: 132,
    sortable: true,
  },
  {
    id: 'updated_time',
    header: 'Updated',
    value: (target) => target.updated_time,
    cell: (target) => <Time value={target.updated_time} isRelative />,
    width: 120,
    sortable: true,
  },
];

/** The default view. */
export const targetView: GridView = {
  hidden: [
    'id',
    'description',
    'session_max_seconds',
    'session_connection_limit',
    'egress_worker_filter',
    'created_time',
  ],
  widths: {},
  pinned: { start: ['name'], end: [] },
  density: 32,
};

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Searches name, ID, address and description. */
export function matching(search: string): (target: Target) => boolean {
  const needle = search.trim().toLowerCase();
  return ({ name, id, address, description }) =>
    needle === '' || [name, id, address, description].some((text) => text.toLowerCase().includes(needle));
}

/** Sorts by one column, then by ID, which never changes. */
export function arrangingOf(sorting: GridSorting | null): Arranging<Target> {
  const column = targetColumns.find(({ id, sortable }) => id === sorting?.columnId && sortable === true);
  const sign = sorting?.direction === 'descending' ? -1 : 1;
  return {
    key: JSON.stringify([column?.id, sign]),
    compare:
      column &&
      ((a, b) => {
        const [left, right] = [column.value(a), column.value(b)];
        const [isLeftSet, isRightSet] = [isSet(left), isSet(right)];
        // Empty values are last in both directions.
        if (!isLeftSet || !isRightSet)
          return Number(isRightSet) - Number(isLeftSet) || compareText(a.id, b.id);
        const order =
          typeof left === 'number' && typeof right === 'number'
            ? left - right
            : column.isMono === true || column.id.endsWith('_time')
              ? compareText(String(left), String(right))
              : words.compare(String(left), String(right));
        return sign * order || compareText(a.id, b.id);
      }),
  };
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
