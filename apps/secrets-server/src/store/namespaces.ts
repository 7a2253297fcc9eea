import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Namespaces } from '../core/identity.ts';
import type { SecretsStore } from './database.ts';

/** A namespace below the root. */
export interface Namespace {
  /** From the root, with a slash at the end. */
  readonly path: string;
  readonly id: string;
  readonly uuid: string;
  readonly customMetadata: Readonly<Record<string, string>>;
}

/** The namespaces that exist. Kept in memory, for every request asks for them. */
export interface NamespaceStore extends Namespaces {
  get(path: string): Namespace | undefined;
  /** Those directly below another, in order. */
  children(parent: string): Namespace[];
  add(path: string, customMetadata: Readonly<Record<string, string>>): Promise<Namespace>;
  change(namespace: Namespace, customMetadata: Readonly<Record<string, string>>): Promise<Namespace>;
  remove(namespace: Namespace): Promise<void>;
  /** All of them, by path. */
  paths(): string[];
  /** Reads them again: the store was written from elsewhere. */
  reload(): void;
}

/** Reads the namespaces of the secrets server's store. */
export function namespaceStore(store: SecretsStore): NamespaceStore {
  const { build } = store;
  const namespaces = new Map<string, Namespace>();
  const reload = (): void => {
    namespaces.clear();
    for (const row of store.all(build.selectFrom('namespace').selectAll().compile())) {
      const customMetadata = JSON.parse(row.custom_metadata) as Record<string, string>;
      namespaces.set(row.path, { path: row.path, id: row.id, uuid: row.uuid, customMetadata });
    }
  };
  reload();

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
    paths: () => [...namespaces.keys()],
    reload,
    async remove({ path }) {
      namespaces.delete(path);
      await store.write((tx) => tx.run(build.deleteFrom('namespace').where('path', '=', path).compile()));
    },
  };
}
