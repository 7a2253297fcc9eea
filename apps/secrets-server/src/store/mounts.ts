import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { sql } from 'kysely';
import type { Selectable, SqlBool } from 'kysely';
import { beyondFolder } from '../core/list-names.ts';
import type { Mount, MountConfig } from '../core/mount.ts';
import { badRequest, refuseMore } from '../core/refusal.ts';
import { topRange } from '../domain/namespace.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';
import { removeKeys } from './kv/kv-store.ts';
import { asidePath } from './replication/receive/mount-places.ts';
import type { MountTable } from './schema.ts';

/** A mount to be created. */
export interface NewMount {
  readonly namespace: string;
  /** Ends with a slash. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly options: Readonly<Record<string, string>> | null;
  readonly config: MountConfig;
  /** Whether the mount is excluded from replication; defaults to false. */
  readonly local?: boolean;
}

/** The mutable parts of a mount; omitted members stay the same. */
export type MountChange = Partial<Pick<Mount, 'description' | 'options' | 'config' | 'pluginVersion'>>;

/** The mount table, which finds the engine or auth method of a path. It is cached, because every request needs it. */
export type MountTableStore = ReturnType<typeof mountTable>;

/** A mount that every namespace has: `sys/`, `auth/token/`. */
export type FixedMount = Pick<Mount, 'path' | 'type' | 'description'>;

/** The default settings of a mount. */
export const defaultConfig: MountConfig = {
  defaultLeaseTtl: 0,
  maxLeaseTtl: 0,
  forceNoCache: false,
  listingVisibility: '',
};

/** The maximum number of mounts in a namespace, and below a namespace of the root: all are in memory. */
const mostMounts = 1000;
const mostBelow = 5000;

/** Reads the mount table. @param fixed the mounts of every namespace, which can't be removed */
export function mountTable(store: SecretsStore, fixed: readonly FixedMount[]) {
  const { build } = store;
  const inUse = build.selectFrom('mount').selectAll().where('retired', '=', 0);
  /** By namespace, longest path first. */
  const byNamespace = new Map<string, Mount[]>();

  const fixedIn = (namespace: string): Mount[] =>
    fixed.map(({ path, type, description }) => ({
      id: 0,
      namespace,
      path,
      type,
      description,
      accessor: `${accessorPrefix(path, type)}_builtin`,
      uuid: '00000000-0000-0000-0000-000000000000',
      options: null,
      config: defaultConfig,
      pluginVersion: '',
      // Auth methods and the tokens that they issue belong to each cluster.
      local: path.startsWith('auth/'),
    }));
  const mountsOf = (namespace: string): Mount[] => {
    let mounts = byNamespace.get(namespace);
    if (mounts === undefined) {
      const rows = store.all(inUse.where('namespace', '=', namespace).compile());
      mounts = [...fixedIn(namespace), ...rows.map(mountOf)].sort(longestFirst);
      byNamespace.set(namespace, mounts);
    }
    return mounts;
  };
  /** Brings one mount in the cache up to date. */
  const refresh = (namespace: string, id: number): void => {
    const known = byNamespace.get(namespace);
    if (known === undefined) return;
    const others = known.filter((mount) => mount.id !== id);
    const row = store.get(inUse.where('id', '=', id).compile());
    byNamespace.set(namespace, row === undefined ? others : [...others, mountOf(row)].sort(longestFirst));
  };
  /** Changes one mount. @param step returns its number */
  const write = async (namespace: string, step: (tx: SecretsWriter) => number): Promise<number> => {
    let written: number | undefined;
    try {
      return await store.write((tx) => {
        written = step(tx);
        // Later writes of the same transaction see it.
        refresh(namespace, written);
        return written;
      });
    } catch (error) {
      // The write was undone after the refresh.
      if (written !== undefined) byNamespace.delete(namespace);
      throw error;
    }
  };
  /** Reads the store, since mounts may have been received in the same moment. */
  const refuseOverlap = (tx: SecretsWriter, namespace: string, path: string): void => {
    const within = sql<SqlBool>`path >= ${path} AND path < ${beyondFolder(path)}`;
    const around = sql<SqlBool>`path IN (SELECT value FROM json_each(${JSON.stringify(foldersOf(path))}))`;
    const query = inUse.where('namespace', '=', namespace).where(sql<SqlBool>`(${within} OR ${around})`);
    const isNear = (fixed: FixedMount): boolean => fixed.path.startsWith(path) || path.startsWith(fixed.path);
    const taken = fixed.find(isNear)?.path ?? tx.get(query.compile())?.path;
    if (taken === path) throw badRequest(`path is already in use at ${path}`);
    if (taken !== undefined) throw badRequest(`existing mount at ${taken}`);
  };
  const count = (tx: SecretsWriter, from: string, to: string): number =>
    tx.get(
      build
        .selectFrom('mount')
        .select(({ fn }) => fn.countAll<number>().as('mounts'))
        .where('namespace', '>=', from)
        .where('namespace', to === from ? '<=' : '<', to)
        .compile(),
    )?.mounts ?? 0;
  const refuseTooMany = (tx: SecretsWriter, namespace: string): void => {
    refuseMore(count(tx, namespace, namespace), mostMounts, 'mounts in one namespace');
    if (namespace === '') return;
    const [from, to] = topRange(namespace);
    refuseMore(count(tx, from, to), mostBelow, `mounts in ${from} and the namespaces in it`);
  };
  /** Reads the store, since a namespace may have been added in the same moment. */
  const refuseNamespaces = (tx: SecretsWriter, namespace: string, path: string): void => {
    const around = foldersOf(path).map((folder) => namespace + folder);
    const taken = tx.get(build.selectFrom('namespace').select('path').where('path', 'in', around).compile());
    if (taken !== undefined)
      throw badRequest(`path is already in use by the namespace ${taken.path.slice(namespace.length)}`);
  };

  return {
    /** The mount in the namespace with the longest path that is a prefix of `path`. */
    find: (namespace: string, path: string): Mount | undefined =>
      mountsOf(namespace).find((mount) => path.startsWith(mount.path)),
    at: (namespace: string, path: string): Mount | undefined =>
      mountsOf(namespace).find((mount) => mount.path === path),
    /** All mounts of a namespace by path, including the fixed ones. */
    list: (namespace: string): readonly Mount[] =>
      mountsOf(namespace).toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    /** All mounts of a type in all namespaces; fixed mounts are listed only for the root namespace. */
    ofType: (type: string): readonly Mount[] => [
      ...fixedIn('').filter((mount) => mount.type === type),
      ...store.all(inUse.where('type', '=', type).orderBy('id').compile()).map(mountOf),
    ],
    /** @throws Refusal 400 if the path is taken or overlaps another mount's, or there are too many; StoreUnavailable */
    async add({ local = false, ...mount }: NewMount): Promise<Mount> {
      const row = {
        ...mount,
        local: local ? 1 : 0,
        accessor: `${accessorPrefix(mount.path, mount.type)}_${randomBase62(8).toLowerCase()}`,
        uuid: randomUUID(),
        options: mount.options === null ? null : JSON.stringify(mount.options),
        config: JSON.stringify(mount.config),
      };
      const id = await write(mount.namespace, (tx) => {
        refuseOverlap(tx, mount.namespace, mount.path);
        refuseNamespaces(tx, mount.namespace, mount.path);
        refuseTooMany(tx, mount.namespace);
        const added = tx.get(build.insertInto('mount').values(row).returning('id').compile());
        if (added === undefined) throw new Error('the mount was not inserted');
        return added.id;
      });
      return { ...mount, ...row, id, local, options: mount.options, config: mount.config, pluginVersion: '' };
    },
    /** @param changeOf the change of the mount as it is by then, to which others may have made theirs */
    async change({ id, namespace }: Mount, changeOf: (now: Mount) => MountChange): Promise<void> {
      await write(namespace, (tx) => {
        const now = tx.get(inUse.where('id', '=', id).compile());
        if (now === undefined) throw badRequest('the mount was deleted in the meantime');
        const { description, options, config, pluginVersion } = changeOf(mountOf(now));
        const set = {
          ...(description !== undefined && { description }),
          ...(options !== undefined && { options: options === null ? null : JSON.stringify(options) }),
          ...(config !== undefined && { config: JSON.stringify(config) }),
          ...(pluginVersion !== undefined && { plugin_version: pluginVersion }),
        };
        if (Object.keys(set).length > 0)
          tx.run(build.updateTable('mount').set(set).where('id', '=', id).compile());
        return id;
      });
    },
    /**
     * Deletes a mount with everything in it, in several writes if that is much. The first one retires it: nothing in it
     * can be reached then, and housekeeping completes an interrupted deletion. On a secondary, the deletion ends where
     * the primary restores the mount.
     */
    async remove(mount: Mount): Promise<void> {
      const aside = { retired: 1, path: asidePath(mount) };
      await write(mount.namespace, (tx) => {
        const retiring = build.updateTable('mount').set(aside).where('id', '=', mount.id);
        tx.run(retiring.where('retired', '=', 0).compile());
        return mount.id;
      });
      const isRetired = build
        .selectFrom('mount')
        .select('id')
        .where('id', '=', mount.id)
        .where('retired', '=', 1);
      await removeKeys(store, mount.id, isRetired.compile());
      const removing = build.deleteFrom('mount').where('id', '=', mount.id).where('retired', '=', 1);
      await store.write((tx) => tx.run(removing.compile()));
    },
    /** Deletes the secrets of a namespace that is being deleted. */
    async clearNamespace(namespace: string): Promise<void> {
      const mounts = build.selectFrom('mount').select('id').where('namespace', '=', namespace);
      for (const { id } of store.all(mounts.compile())) await removeKeys(store, id);
    },
    /** Deletes the mounts of a namespace that is being deleted. */
    removeNamespace(tx: SecretsWriter, namespace: string): void {
      byNamespace.delete(namespace);
      tx.run(build.deleteFrom('mount').where('namespace', '=', namespace).compile());
    },
    /** The namespace of a mount, retired or not; undefined if the mount does not exist. */
    namespaceOf: (id: number): string | undefined =>
      store.get(build.selectFrom('mount').select('namespace').where('id', '=', id).compile())?.namespace,
    /** Mounts without a reachable path, which are kept until everything they issued is revoked. */
    retired: (): readonly Mount[] =>
      store.all(build.selectFrom('mount').selectAll().where('retired', '=', 1).compile()).map(mountOf),
    /** Clears the cache after the store was changed by other code. */
    forget: (): void => byNamespace.clear(),
  };
}

const longestFirst = (one: Mount, other: Mount): number => other.path.length - one.path.length;

/** A path with the paths around it: `a/` and `a/b/` for `a/b/`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => `${parts.slice(0, index + 1).join('/')}/`);
}

function accessorPrefix(path: string, type: string): string {
  return path.startsWith('auth/') ? `auth_${type}` : type;
}

function mountOf(found: Selectable<MountTable>): Mount {
  const { plugin_version, local, retired: _, ...row } = found;
  return {
    ...row,
    local: local === 1,
    pluginVersion: plugin_version,
    options: row.options === null ? null : (JSON.parse(row.options) as Record<string, string>),
    config: JSON.parse(row.config) as MountConfig,
  };
}
