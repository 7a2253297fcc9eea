import { sql } from 'kysely';
import { places } from '../places.ts';

/** A table's parent: none, a mount (`mount_id`), or a key of a mount (`key_id`). */
export type Parent = 'none' | 'mount' | 'key';

/** A value in a row of this store. */
export type Column = string | number | null | Uint8Array;

/** A row of this store, by column. */
export type Row = Readonly<Record<string, Column>>;

/** A replicated table. */
export interface ReplicatedTable {
  readonly name: string;
  readonly parent: Parent;
  /** The columns that identify a record within its parent, on every cluster. */
  readonly key: readonly string[];
  /** The columns that are sent as values. */
  readonly values: readonly string[];
  /** The sealed column, and the name it is bound to in this store. */
  readonly sealed?: {
    readonly column: string;
    readonly place: (row: Row) => string;
    /** Whether the value of a row never changes, so that the log can refer to the row. */
    readonly stays?: true;
  };
  /** Whether rows have numbers that other tables refer to. */
  readonly numbered?: true;
  /** Whether rows are removed only together with their parent, so that their removals are not logged. */
  readonly goesWithParent?: true;
  /** Whether the number of rows is small enough to hold their keys in memory. */
  readonly few: boolean;
  /** Whether no code caches the rows. */
  readonly uncached?: true;
  /** Describes a record for users. @param key within the parent, which is described separately */
  readonly title: (key: readonly Column[]) => string;
}

const text = (value: Column | undefined): string => String(value ?? '');
const number = (value: Column | undefined): number => Number(value);

/**
 * The replicated tables, parents first. All others stay with their cluster: tokens, leases, wrapped answers, the
 * barrier's keys, undos.
 */
export const replicatedTables: readonly ReplicatedTable[] = [
  {
    name: 'namespace',
    parent: 'none',
    key: ['path'],
    values: ['id', 'uuid', 'custom_metadata'],
    few: true,
    title: ([path]) => `namespace ${text(path)}`,
  },
  {
    name: 'policy',
    parent: 'none',
    key: ['namespace', 'name'],
    values: ['sealed'],
    sealed: { column: 'sealed', place: (row) => places.policy(text(row['namespace']), text(row['name'])) },
    few: true,
    title: ([namespace, name]) => `policy ${text(namespace)}${text(name)}`,
  },
  {
    name: 'mount',
    parent: 'none',
    key: ['uuid'],
    values: ['namespace', 'path', 'type', 'description', 'accessor', 'options', 'config', 'plugin_version'],
    numbered: true,
    few: true,
    title: ([uuid]) => `mount ${text(uuid)}`,
  },
  {
    name: 'plugin',
    parent: 'none',
    key: ['type', 'name', 'version'],
    values: ['sealed'],
    sealed: {
      column: 'sealed',
      place: (row) => places.plugin(text(row['type']), text(row['name']), text(row['version'])),
    },
    few: true,
    title: ([type, name, version]) => `${text(type)} plugin ${text(name)} ${text(version)}`.trimEnd(),
  },
  {
    name: 'plugin_pin',
    parent: 'none',
    key: ['type', 'name'],
    values: ['version'],
    few: true,
    title: ([type, name]) => `pinned version of the ${text(type)} plugin ${text(name)}`,
  },
  {
    name: 'kv_config',
    parent: 'mount',
    key: [],
    values: ['max_versions', 'cas_required', 'delete_version_after'],
    few: true,
    uncached: true,
    title: () => 'configuration',
  },
  {
    name: 'kv_key',
    parent: 'mount',
    key: ['path'],
    values: [
      'current_version',
      'oldest_version',
      'created_time',
      'updated_time',
      'max_versions',
      'cas_required',
      'delete_version_after',
      'custom_metadata',
    ],
    sealed: { column: 'custom_metadata', place: (row) => places.kvNotes(number(row['id'])) },
    numbered: true,
    few: false,
    uncached: true,
    title: ([path]) => `${text(path)} metadata`,
  },
  {
    name: 'kv_version',
    parent: 'key',
    key: ['version'],
    values: ['created_time', 'deletion_time', 'destroyed', 'sealed'],
    sealed: {
      column: 'sealed',
      place: (row) => places.kvVersion(number(row['key_id']), number(row['version'])),
      stays: true,
    },
    goesWithParent: true,
    few: false,
    uncached: true,
    title: ([path, version]) => `${text(path)} version ${text(version)}`,
  },
  {
    name: 'cloud_config',
    parent: 'mount',
    key: ['name'],
    values: ['sealed'],
    sealed: {
      column: 'sealed',
      place: (row) => places.cloudConfig(number(row['mount_id']), text(row['name'])),
    },
    few: true,
    title: ([name]) => `config/${text(name)}`,
  },
  {
    name: 'cloud_role',
    parent: 'mount',
    key: ['name'],
    values: ['sealed'],
    sealed: {
      column: 'sealed',
      place: (row) => places.cloudRole(number(row['mount_id']), text(row['name'])),
    },
    few: true,
    title: ([name]) => `roles/${text(name)}`,
  },
];

export const tableOf: ReadonlyMap<string, ReplicatedTable> = new Map(
  replicatedTables.map((table) => [table.name, table]),
);

/** Condition for mounts that are replicated and not retired. */
export const isReplicatedMount = sql`mount.local = 0 AND mount.retired = 0`;

/** The column that refers to the parent. */
export function parentColumn(table: ReplicatedTable): 'mount_id' | 'key_id' | undefined {
  if (table.parent === 'none') return undefined;
  return table.parent === 'mount' ? 'mount_id' : 'key_id';
}

/**
 * The identifying columns of a row, in this store and elsewhere: number, parent, key, and a mount's `local` and
 * `retired`.
 */
export function namesOf(table: ReplicatedTable): readonly string[] {
  const parent = parentColumn(table);
  return [
    ...(table.numbered === true ? ['id'] : []),
    ...(parent === undefined ? [] : [parent]),
    ...table.key,
    ...(table.name === 'mount' ? ['local', 'retired'] : []),
  ];
}

/** The columns that replication reads: the identifying ones and the values. */
export function columnsOf(table: ReplicatedTable): readonly string[] {
  return [...namesOf(table), ...table.values];
}
