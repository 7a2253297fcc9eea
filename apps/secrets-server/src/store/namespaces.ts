import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Namespaces } from '../core/identity.ts';
import { JsonText } from '../core/json/json-text.ts';
import { badRequest, refuseMore } from '../core/refusal.ts';
import { topRange } from '../domain/namespace.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';

/** A namespace below the root. */
export interface Namespace {
  /** The path from the root, with a trailing slash. */
  readonly path: string;
  readonly id: string;
  readonly uuid: string;
}

/** The custom metadata of a namespace, by name. */
type Metadata = Readonly<Record<string, string>>;

/**
 * The namespaces of this server, cached because every request needs them. Namespaces that are being deleted are not
 * found.
 */
export interface NamespaceStore extends Namespaces {
  get(path: string): Namespace | undefined;
  /** The custom metadata of a namespace, which is not cached, as JSON; empty for one that is gone. */
  metadata(path: string): JsonText;
  /** The direct children of a namespace, in order. */
  children(parent: string): Namespace[];
  /**
   * Adds a namespace, or changes one that another request has added in the meantime.
   * @param within adds what belongs to it, in the same transaction
   * @throws Refusal 400 if it or its parent is being deleted, a mount is in its place, or there are too many
   */
  add(path: string, customMetadata: Metadata, within?: (tx: SecretsWriter) => void): Promise<Namespace>;
  /**
   * @param metadataOf its custom metadata, from what it has by then
   * @throws Refusal 400 for a namespace that is being deleted
   */
  change(namespace: Namespace, metadataOf: (now: Metadata) => Metadata): Promise<void>;
  /**
   * Deletes a namespace, hidden from requests from the beginning. The first write makes a later start resume the
   * deletion, the last one removes the namespace.
   * @param begin work before the first write, whose failure makes the namespace visible again
   * @param clear irreversible work
   * @param within removes the remaining records in the transaction that removes the namespace
   */
  remove(
    namespace: Namespace,
    steps: {
      readonly begin: () => Promise<void>;
      readonly clear: () => Promise<void>;
      readonly within: (tx: SecretsWriter) => void;
    },
  ): Promise<void>;
  /** Namespaces whose deletion an earlier process began. */
  interrupted(): Namespace[];
  /** Makes a namespace visible whose deletion an earlier process began. */
  keep(namespace: Namespace): Promise<void>;
  /** All paths, including those of namespaces that are being deleted. */
  paths(): string[];
  /** Refreshes the cache after the store was changed by other code. */
  reload(): void;
}

/** The maximum number of namespaces in one, and of all below one of the root: all are in memory. */
const mostChildren = 1000;
const mostBelow = 5000;

export function namespaceStore(store: SecretsStore): NamespaceStore {
  const { build } = store;
  const namespaces = new Map<string, Namespace>();
  /** Namespaces whose deletion an earlier process began. */
  const deleting = new Map<string, Namespace>();
  /** Paths of the namespaces whose deletion is running. */
  const underWay = new Set<string>();
  const reload = (): void => {
    namespaces.clear();
    deleting.clear();
    const rows = build.selectFrom('namespace').select(['path', 'id', 'uuid', 'deleting']);
    for (const { deleting: isGone, ...row } of store.all(rows.compile())) {
      if (underWay.has(row.path)) continue;
      (isGone === 1 ? deleting : namespaces).set(row.path, row);
    }
  };
  reload();
  const isBeingDeleted = (path: string): boolean => deleting.has(path) || underWay.has(path);
  /** Not replicated, because only this cluster runs the deletion. */
  const mark = (path: string, value: 0 | 1): Promise<unknown> =>
    store.write(
      (tx) =>
        tx.run(build.updateTable('namespace').set({ deleting: value }).where('path', '=', path).compile()),
      { unwatched: true },
    );
  const selectMetadata = build
    .selectFrom('namespace')
    .select('custom_metadata')
    .where('path', '=', '')
    .compile();
  const count = (tx: SecretsWriter, isCounted: Expression<SqlBool>): number =>
    tx.get(
      build
        .selectFrom('namespace')
        .select(({ fn }) => fn.countAll<number>().as('namespaces'))
        .where(isCounted)
        .compile(),
    )?.namespaces ?? 0;
  const refuseTooMany = (tx: SecretsWriter, parent: string): void => {
    const length = sql`length(${parent})`;
    const isChild = sql<SqlBool>`substr(path, 1, ${length}) = ${parent}
      AND instr(substr(path, ${length} + 1), '/') = length(path) - ${length}`;
    if (parent === '') {
      refuseMore(count(tx, isChild), mostChildren, 'namespaces in the root namespace');
      return;
    }
    const [from, to] = topRange(parent);
    const isBelow = sql<SqlBool>`path > ${from} AND path < ${to}`;
    refuseMore(count(tx, isBelow), mostBelow, `namespaces in ${from} and the namespaces in it`);
    refuseMore(count(tx, sql`${isBelow} AND ${isChild}`), mostChildren, `namespaces in ${parent}`);
  };
  return {
    metadata: (path) =>
      new JsonText(store.get(withParameters(selectMetadata, path))?.custom_metadata ?? '{}'),
    has: (path) => path === '' || namespaces.has(path),
    get: (path) => namespaces.get(path),
    children: (parent) =>
      [...namespaces.values()]
        .filter(({ path }) => path.startsWith(parent) && path.indexOf('/', parent.length) === path.length - 1)
        .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    async add(path, customMetadata, within) {
      const parent = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
      const custom_metadata = JSON.stringify(customMetadata);
      const row = await store.write((tx) => {
        for (const each of [parent, path]) if (isBeingDeleted(each)) throw isGoing(each);
        const mounts = build.selectFrom('mount').select('path').where('namespace', '=', parent);
        const below = path.slice(parent.length);
        if (tx.all(mounts.where('retired', '=', 0).compile()).some((mount) => mount.path.startsWith(below)))
          throw badRequest('namespace path conflicts with an existing mount');
        if (tx.get(withParameters(selectMetadata, path)) === undefined) refuseTooMany(tx, parent);
        within?.(tx);
        return tx.get(
          build
            .insertInto('namespace')
            .values({ path, id: randomBase62(5), uuid: randomUUID(), custom_metadata })
            // Another request has added it in the meantime.
            .onConflict((conflict) => conflict.column('path').doUpdateSet({ custom_metadata }))
            .returning(['id', 'uuid'])
            .compile(),
        );
      });
      if (row === undefined) throw new Error('the namespace was not inserted');
      const namespace: Namespace = { path, ...row };
      namespaces.set(path, namespace);
      return namespace;
    },
    async change(namespace, metadataOf) {
      const here = ['path', '=', namespace.path] as const;
      await store.write((tx) => {
        const now = tx.get(withParameters(selectMetadata, namespace.path))?.custom_metadata ?? '{}';
        const custom_metadata = JSON.stringify(metadataOf(JSON.parse(now) as Metadata));
        tx.run(
          build
            .updateTable('namespace')
            .set({ custom_metadata })
            .where(...here)
            .compile(),
        );
      });
      // Its deletion may have begun since.
      if (namespaces.get(namespace.path)?.uuid !== namespace.uuid) throw isGoing(namespace.path);
    },
    paths: () => [...namespaces.keys(), ...deleting.keys(), ...underWay],
    reload,
    interrupted: () => [...deleting.values()],
    async keep({ path }) {
      await mark(path, 0);
      reload();
    },
    async remove({ path }, { begin, clear, within }) {
      underWay.add(path);
      namespaces.delete(path);
      deleting.delete(path);
      try {
        await begin();
        await mark(path, 1);
        await clear();
        await store.write((tx) => {
          within(tx);
          tx.run(build.deleteFrom('namespace').where('path', '=', path).compile());
        });
        underWay.delete(path);
      } catch (error) {
        underWay.delete(path);
        reload();
        throw error;
      }
    },
  };
}

function isGoing(path: string): Error {
  return badRequest(`namespace ${path} is being deleted. Try again when it is gone.`);
}
