import { sql } from 'kysely';
import { places } from '../places.ts';

/** What a record is part of: nothing, a mount (`mount_id`), or a key of a mount (`key_id`). */
export type Parent = 'none' | 'mount' | 'key';

/** A value of a row of this store. */
export type Column = string | number | null | Uint8Array;

/** A row of this store by its columns. */
export type Row = Readonly<Record<string, Column>>;

/** A table whose rows are replicated. */
export interface ReplicatedTable {
  readonly name: string;
  readonly parent: Parent;
  /** Columns that name a record below its parent, on every cluster. */
  readonly key: readonly string[];
  /** Columns that are sent with it. */
  readonly values: readonly string[];
  /** The value that is sealed, and what it is bound to here. */
  readonly sealed?: {
    readonly column: string;
    readonly place: (row: Row) => string;
    /** Whether a row keeps its value for as long as it is there, so that the log need not have it too. */
    readonly stays?: true;
  };
  /** Whether its rows have numbers of their own that others refer to. */
  readonly numbered?: true;
  /** Whether its rows are only removed by what their parent says: nobody is told of each. */
  readonly goesWithParent?: true;
  /** Whether it cannot have so many rows that their names do not fit into memory. */
  readonly few: boolean;
  /** Whether nobody keeps its rows in memory. */
  readonly uncached?: true;
  /** How a record is called to people. @param key below the parent, which stands before it already */
  readonly title: (key: readonly Column[]) => string;
}

const text = (value: Column | undefined): string => String(value ?? '');
const number = (value: Column | undefined): number => Number(value);

/**
 * The tables whose rows are replicated, parents first. Everything else stays with its cluster: tokens, leases,
 * wrappings, the keys of the barrier, what is to be undone at a provider.
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

/** The tables by name. */
export const tableOf: ReadonlyMap<string, ReplicatedTable> = new Map(
  replicatedTables.map((table) => [table.name, table]),
);

/** Of the mounts, those that are replicated and here. */
export const isReplicatedMount = sql`mount.local = 0 AND mount.retired = 0`;

/** The column that refers to what a record is part of. */
export function parentColumn(table: ReplicatedTable): 'mount_id' | 'key_id' | undefined {
  if (table.parent === 'none') return undefined;
  return table.parent === 'mount' ? 'mount_id' : 'key_id';
}

/** The columns that name a row here and on every cluster: number, parent, key, and whose a mount is. */
export function namesOf(table: ReplicatedTable): readonly string[] {
  const parent = parentColumn(table);
  return [
    ...(table.numbered === true ? ['id'] : []),
    ...(parent === undefined ? [] : [parent]),
    ...table.key,
    ...(table.name === 'mount' ? ['local', 'retired'] : []),
  ];
}

/** The columns of this store's rows that replication reads: what names them, and their values. */
export function columnsOf(table: ReplicatedTable): readonly string[] {
  return [...namesOf(table), ...table.values];
}
