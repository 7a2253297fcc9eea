import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Namespaces } from '../core/identity.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';

/** A namespace below the root. */
export interface Namespace {
  /** From the root, with a slash at the end. */
  readonly path: string;
  readonly id: string;
  readonly uuid: string;
  readonly customMetadata: Readonly<Record<string, string>>;
}

/** The namespaces that exist. Kept in memory, for every request asks for them. Those that are being deleted are not found. */
export interface NamespaceStore extends Namespaces {
  get(path: string): Namespace | undefined;
  /** Those directly below another, in order. */
  children(parent: string): Namespace[];
  add(path: string, customMetadata: Readonly<Record<string, string>>): Promise<Namespace>;
  change(namespace: Namespace, customMetadata: Readonly<Record<string, string>>): Promise<Namespace>;
  /**
   * Deletes a namespace: hides it in a first write, so that nobody gets in, and removes it in the last one.
   * @param begin its failure shows the namespace again
   * @param clear what cannot be undone; a later start continues with it
   * @param within what is removed together with the namespace
   */
  remove(
    namespace: Namespace,
    steps: {
      readonly begin: () => Promise<void>;
      readonly clear: () => Promise<void>;
      readonly within: (tx: SecretsWriter) => void;
    },
  ): Promise<void>;
  isBeingDeleted(path: string): boolean;
  /** Those whose deletion began, and which nothing deletes right now. */
  interrupted(): Namespace[];
  /** Shows a namespace again. */
  keep(namespace: Namespace): Promise<void>;
  /** All of them, by path; those that are being deleted too. */
  paths(): string[];
  /** Reads them again: the store was written from elsewhere. */
  reload(): void;
}

/** Reads the namespaces of the secrets server's store. */
export function namespaceStore(store: SecretsStore): NamespaceStore {
  const { build } = store;
  const namespaces = new Map<string, Namespace>();
  const deleting = new Map<string, Namespace>();
  /** Paths of those that are deleted right now. */
  const underWay = new Set<string>();
  const reload = (): void => {
    namespaces.clear();
    deleting.clear();
    for (const row of store.all(build.selectFrom('namespace').selectAll().compile())) {
      const customMetadata = JSON.parse(row.custom_metadata) as Record<string, string>;
      const found = row.deleting === 1 ? deleting : namespaces;
      found.set(row.path, { path: row.path, id: row.id, uuid: row.uuid, customMetadata });
    }
  };
  reload();
  /** Not a change that other clusters are told of: it is this one that deletes. */
  const mark = (path: string, value: 0 | 1): Promise<unknown> =>
    store.write(
      (tx) =>
        tx.run(build.updateTable('namespace').set({ deleting: value }).where('path', '=', path).compile()),
      { unwatched: true },
    );
  const keep = async (namespace: Namespace): Promise<void> => {
    deleting.delete(namespace.path);
    namespaces.set(namespace.path, namespace);
    await mark(namespace.path, 0);
  };

  return {
    has: (path) => path === '' || namespaces.has(path),
    get: (path) => namespaces.get(path),
    children: (parent) =>
      [...namespaces.values()]
        .filter(({ path }) => path.startsWith(parent) && path.indexOf('/', parent.length) === path.length - 1)
        .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    async add(path, customMetadata) {
      const namespace: Namespace = { path, id: randomBase62(5), uuid: randomUUID(), customMetadata };
      await store.write((tx) =>
        tx.run(
          build
            .insertInto('namespace')
            .values({
              path,
              id: namespace.id,
              uuid: namespace.uuid,
              custom_metadata: JSON.stringify(customMetadata),
            })
            .compile(),
        ),
      );
      namespaces.set(path, namespace);
      return namespace;
    },
    async change(namespace, customMetadata) {
      const custom_metadata = JSON.stringify(customMetadata);
      await store.write((tx) =>
        tx.run(
          build
            .updateTable('namespace')
            .set({ custom_metadata })
            .where('path', '=', namespace.path)
            .compile(),
        ),
      );
      const changed = { ...namespace, customMetadata };
      namespaces.set(namespace.path, changed);
      return changed;
    },
    paths: () => [...namespaces.keys(), ...deleting.keys()],
    reload,
    isBeingDeleted: (path) => deleting.has(path),
    interrupted: () => [...deleting.values()].filter(({ path }) => !underWay.has(path)),
    keep,
    async remove(namespace, { begin, clear, within }) {
      const { path } = namespace;
      underWay.add(path);
      deleting.set(path, namespace);
      namespaces.delete(path);
      try {
        try {
          await mark(path, 1);
          await begin();
        } catch (error) {
          await keep(namespace);
          throw error;
        }
        await clear();
        await store.write((tx) => {
          within(tx);
          tx.run(build.deleteFrom('namespace').where('path', '=', path).compile());
        });
        deleting.delete(path);
      } finally {
        underWay.delete(path);
      }
    },
  };
}
