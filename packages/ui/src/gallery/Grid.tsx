import { Copy, Pencil, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Badge } from '../badge/Badge.tsx';
import { StatusDot } from '../badge/StatusDot.tsx';
import { Button } from '../button/Button.tsx';
import { DataGrid } from '../data-grid/DataGrid.tsx';
import {
  type DataGridProps,
  defaultGridView,
  emptyGridSelection,
  type GridColumn,
  type GridSelection,
  type GridSorting,
} from '../data-grid/gridTypes.ts';
import { EmptyState } from '../empty-state/EmptyState.tsx';
import { ErrorState } from '../error-state/ErrorState.tsx';
import { TargetIcon } from '../icon/domain.tsx';
import { SegmentedControl } from '../segmented-control/SegmentedControl.tsx';
import { RelativeTime } from '../time/Timestamp.tsx';
import { Family, Specimen } from './Specimen.tsx';

interface Target {
  id: string;
  name: string;
  type: 'tcp' | 'ssh';
  address: string;
  port: number;
  sessions: number;
  isReachable: boolean;
  changed: number;
}

const names = ['orders', 'billing', 'search', 'ledger', 'mail', 'cache', 'queue', 'events', 'auth', 'images'];
const roles = ['primary', 'replica', 'proxy', 'worker', 'bastion'];
const firstDay = Date.UTC(2026, 0, 1);

function makeTargets(count: number): Target[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `ttcp_${(index * 7_919 + 1_234_567).toString(36).padStart(10, '0')}`,
    name: `${names[index % 10] ?? 'db'}-${roles[Math.floor(index / 10) % 5] ?? 'one'}-${String(index + 1)}`,
    type: index % 3 === 0 ? 'ssh' : 'tcp',
    address: `10.${String(index % 200)}.${String(index % 251)}.${String((index * 7) % 250)}`,
    port: index % 3 === 0 ? 22 : 5432 + (index % 4),
    sessions: (index * 13) % 17,
    isReachable: index % 11 !== 0,
    changed: firstDay + index * 61_000,
  }));
}

const columns: readonly GridColumn<Target>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, width: 200, sortable: true, isRowHeader: true },
  { id: 'id', header: 'ID', value: ({ id }) => id, width: 152, isMono: true },
  {
    id: 'type',
    header: 'Type',
    value: ({ type }) => type,
    cell: ({ type }) => <Badge>{type}</Badge>,
    width: 80,
    sortable: true,
  },
  {
    id: 'address',
    header: 'Address',
    value: ({ address }) => address,
    width: 140,
    isMono: true,
    sortable: true,
  },
  { id: 'port', header: 'Port', value: ({ port }) => String(port), width: 80, align: 'end', sortable: true },
  {
    id: 'sessions',
    header: 'Sessions',
    value: ({ sessions }) => sessions,
    width: 96,
    align: 'end',
    sortable: true,
  },
  {
    id: 'state',
    header: 'State',
    value: ({ isReachable }) => (isReachable ? 'Reachable' : 'Down'),
    cell: ({ isReachable }) => (
      <StatusDot tone={isReachable ? 'ok' : 'danger'}>{isReachable ? 'Reachable' : 'Down'}</StatusDot>
    ),
    width: 120,
  },
  {
    id: 'changed',
    header: 'Changed',
    value: ({ changed }) => changed,
    cell: ({ changed }) => <RelativeTime value={changed} />,
    width: 140,
    sortable: true,
  },
];

const actions = [
  { id: 'edit', label: 'Edit', icon: Pencil },
  { id: 'clone', label: 'Clone', icon: Copy },
  'separator',
  { id: 'delete', label: 'Delete', icon: Trash2, isDanger: true },
] as const;

type Size = '40' | '2000' | '100000';
type Phase = DataGridProps<Target>['status'] | 'empty' | 'partial';

const targetId = ({ id }: Target) => id;
const targetName = ({ name }: Target) => name;
const targetHref = ({ id }: Target) => `#${id}`;
const targetActions = () => actions;

/** The grid in each of its states, with up to 100,000 rows. */
export function Grid() {
  const [size, setSize] = useState<Size>('2000');
  const [phase, setPhase] = useState<Phase>('ready');
  const [sorting, setSorting] = useState<GridSorting | null>(null);
  const [view, setView] = useState(defaultGridView);
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const all = useMemo(() => makeTargets(Number(size)), [size]);
  const rows = useMemo(() => {
    if (phase === 'loading' || phase === 'empty' || phase === 'failed') return [];
    return phase === 'partial' ? all.slice(0, Math.ceil(all.length * 0.12)) : all;
  }, [all, phase]);
  const status = phase === 'empty' ? 'ready' : phase === 'partial' ? 'loading-more' : phase;
  return (
    <Family title="Data grid">
      <Specimen name="Rows and state" isRow>
        <SegmentedControl
          label="Rows"
          value={size}
          onChange={setSize}
          segments={[
            { value: '40', label: '40' },
            { value: '2000', label: '2,000' },
            { value: '100000', label: '100,000' },
          ]}
        />
        <SegmentedControl<Phase>
          label="State"
          value={phase}
          onChange={setPhase}
          segments={[
            { value: 'ready', label: 'Ready' },
            { value: 'loading', label: 'Loading' },
            { value: 'partial', label: 'Partial' },
            { value: 'empty', label: 'Empty' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
      </Specimen>
      <div className="flex h-120 min-w-0 flex-col border border-line">
        <DataGrid<Target>
          label="Targets"
          noun={{ one: 'target', many: 'targets' }}
          columns={columns}
          rows={rows}
          rowId={targetId}
          rowLabel={targetName}
          rowHref={targetHref}
          rowActions={targetActions}
          status={status}
          matchCount={
            phase === 'empty'
              ? { value: 0, isExact: true }
              : { value: all.length, isExact: phase !== 'partial' }
          }
          sorting={sorting}
          onSortingChange={setSorting}
          sortedBy="here"
          view={view}
          onViewChange={setView}
          selection={selection}
          onSelectionChange={setSelection}
          canSelectAllMatching
          bulkActions={
            <>
              <Button size={28} icon={Pencil}>
                Edit
              </Button>
              <Button size={28} icon={Trash2}>
                Delete
              </Button>
            </>
          }
          empty={
            <EmptyState
              icon={TargetIcon}
              title="No targets in this project"
              action={
                <Button variant="primary" icon={Plus}>
                  Create target
                </Button>
              }
              command="boundary targets create tcp -name db -default-port 5432 -scope-id p_1234567890"
            />
          }
          error={
            <ErrorState title="Targets couldn't be loaded" why="The access controller didn't respond." />
          }
        />
      </div>
    </Family>
  );
}
