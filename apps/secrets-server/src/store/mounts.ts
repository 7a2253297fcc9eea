import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Selectable } from 'kysely';
import type { Mount, MountConfig } from '../core/mount.ts';
import { badRequest } from '../core/refusal.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';
import type { MountTable } from './schema.ts';

/** What a person mounts. */
export interface NewMount {
  readonly namespace: string;
  /** With a slash at the end. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly options: Readonly<Record<string, string>> | null;
  readonly config: MountConfig;
  /** Kept off replication; not unless given. */
  readonly local?: boolean;
}

/** What can be changed of a mount; members left out stay. */
export type MountChange = Partial<Pick<Mount, 'description' | 'options' | 'config' | 'pluginVersion'>>;

/** Which engine or auth method answers a path. Kept in memory, for every request asks it. */
export type MountTableStore = ReturnType<typeof mountTable>;

/** Something that every namespace has: `sys/`, `auth/token/`. */
export type FixedMount = Pick<Mount, 'path' | 'type' | 'description'>;

/** Defaults of a mount's settings. */
export const defaultConfig: MountConfig = {
  defaultLeaseTtl: 0,
  maxLeaseTtl: 0,
  forceNoCache: false,
  listingVisibility: '',
};

/** Reads the mount table. @param fixed what is mounted in every namespace and cannot be removed */
export function mountTable(store: SecretsStore, fixed: readonly FixedMount[]) {
  const { build } = store;
  const inUse = build.selectFrom('mount').selectAll().where('retired', '=', 0);
  /** Per namespace, longest path first. */
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
      // Sign-in methods are every cluster's own, and so are the tokens that they issue.
      local: path.startsWith('auth/'),
    }));
  const mountsOf = (namespace: string): Mount[] => {
    let mounts = byNamespace.get(namespace);
    if (mounts === undefined) {
      const rows = store.all(inUse.where('namespace', '=', namespace).compile());
      mounts = [...fixedIn(namespace), ...rows.map(mountOf)].sort(
        (one, other) => other.path.length - one.path.length,
      );
      byNamespace.set(namespace, mounts);
    }
    return mounts;
  };
  const refuseOverlap = (namespace: string, path: string): void => {
    for (const mount of mountsOf(namespace)) {
      if (mount.path === path) throw badRequest(`path is already in use at ${path}`);
      if (mount.path.startsWith(path) || path.startsWith(mount.path))
        throw badRequest(`existing mount at ${mount.path}`);
    }
  };

  return {
    /** The mount whose path is the longest beginning of `path` in the namespace. */
    find: (namespace: string, path: string): Mount | undefined =>
      mountsOf(namespace).find((mount) => path.startsWith(mount.path)),
    /** The mount at exactly this path. */
    at: (namespace: string, path: string): Mount | undefined =>
      mountsOf(namespace).find((mount) => mount.path === path),
    /** All of a namespace by path, built-in ones too. */
    list: (namespace: string): readonly Mount[] =>
      mountsOf(namespace).toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    /** All of a type in all namespaces; what is built into a namespace is told of the root alone. */
    ofType: (type: string): readonly Mount[] => [
      ...fixedIn('').filter((mount) => mount.type === type),
      ...store.all(inUse.where('type', '=', type).orderBy('id').compile()).map(mountOf),
    ],
    /** @throws Refusal 400 when the path is taken or overlaps another mount's; StoreUnavailable */
    async add({ local = false, ...mount }: NewMount): Promise<Mount> {
      const row = {
        ...mount,
        local: local ? 1 : 0,
        accessor: `${accessorPrefix(mount.path, mount.type)}_${randomBase62(8).toLowerCase()}`,
        uuid: randomUUID(),
        options: mount.options === null ? null : JSON.stringify(mount.options),
        config: JSON.stringify(mount.config),
      };
      const added = await store.write((tx) => {
        byNamespace.delete(mount.namespace);
        refuseOverlap(mount.namespace, mount.path);
        return tx.get(build.insertInto('mount').values(row).returningAll().compile());
      });
      byNamespace.delete(mount.namespace);
      if (added === undefined) throw new Error('the mount was not inserted');
      return mountOf(added);
    },
    async change(mount: Mount, { description, options, config, pluginVersion }: MountChange): Promise<Mount> {
      const set = {
        ...(description !== undefined && { description }),
        ...(options !== undefined && { options: options === null ? null : JSON.stringify(options) }),
        ...(config !== undefined && { config: JSON.stringify(config) }),
        ...(pluginVersion !== undefined && { plugin_version: pluginVersion }),
      };
      if (Object.keys(set).length > 0) {
        await store.write((tx) =>
          tx.run(build.updateTable('mount').set(set).where('id', '=', mount.id).compile()),
        );
        byNamespace.delete(mount.namespace);
      }
      return {
        ...mount,
        ...(description !== undefined && { description }),
        ...(options !== undefined && { options }),
        ...(config !== undefined && { config }),
        ...(pluginVersion !== undefined && { pluginVersion }),
      };
    },
    /** Removes a mount with everything in it. */
    async remove(mount: Mount): Promise<void> {
      await store.write((tx) => tx.run(build.deleteFrom('mount').where('id', '=', mount.id).compile()));
      byNamespace.delete(mount.namespace);
    },
    /** Removes the mounts of a namespace that is being deleted. */
    removeNamespace(tx: SecretsWriter, namespace: string): void {
      byNamespace.delete(namespace);
      tx.run(build.deleteFrom('mount').where('namespace', '=', namespace).compile());
    },
    /** The namespace of a mount, of a retired one too; undefined when there is none. */
    namespaceOf: (id: number): string | undefined =>
      store.get(build.selectFrom('mount').select('namespace').where('id', '=', id).compile())?.namespace,
    /** Mounts that no path leads to any more, kept until what they issued is taken back. */
    retired: (): readonly Mount[] =>
      store.all(build.selectFrom('mount').selectAll().where('retired', '=', 1).compile()).map(mountOf),
    /** Forgets what is in memory: the store was written from elsewhere. */
    forget: (): void => byNamespace.clear(),
  };
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
