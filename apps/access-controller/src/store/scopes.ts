import { transferTurn } from '@gatehouse/service-kit/slices';
import { withParameters, writeInParts } from '@gatehouse/service-kit/store';
import type { Store, Writer } from '@gatehouse/service-kit/store';
import type { Selectable } from 'kysely';
import { Refusal, notFound } from '../domain/refusal.ts';
import type { Scope } from '../domain/scope.ts';
import { credentialStoreTable } from './credential-stores.ts';
import { hostCatalogTable } from './host-catalogs.ts';
import { listingOf } from './listing.ts';
import type { Pages } from './listing.ts';
import { idsIn, removeResources, removeAllIn, unlessNameTaken, type AnyTable } from './resources.ts';
import type { Schema } from './schema.ts';
import { sessionTable } from './sessions.ts';
import { targetTable } from './targets.ts';

/** What is in a scope, in the order in which it is deleted. */
const contents: readonly AnyTable[] = [sessionTable, targetTable, hostCatalogTable, credentialStoreTable];

export type ScopeStore = ReturnType<typeof scopeStore>;

export function scopeStore(store: Store<Schema>) {
  const { build } = store;
  const selectById = build.selectFrom('scope').selectAll().where('id', '=', '').compile();
  const byId = (id: string) => withParameters(selectById, id);
  const childrenOf = (parentId: string) =>
    build
      .selectFrom('scope')
      .selectAll()
      .where('parent_id', '=', parentId)
      .orderBy('created_time')
      .orderBy('id')
      .compile();

  const children = (parentId: string): Scope[] => store.all(childrenOf(parentId)).map((row) => toScope(row));

  const listed = listingOf<Selectable<Schema['scope']>, Scope>(store, {
    table: 'scope',
    container: 'parent_id',
    shown: { sql: 'parent_id IS NOT NULL', parameters: [] },
    toItems: (rows) => rows.map((row) => toScope(row)),
  });

  return {
    get(id: string): Scope | undefined {
      const row = store.get(byId(id));
      return row === undefined ? undefined : toScope(row);
    },

    /** The scopes directly in a scope, or all except the global one. */
    pages: {
      page: (...place) => listed.page(...place),
      count: (within) => listed.count(within),
    } satisfies Pages<Scope>,

    /** @throws Refusal `duplicate name`, `not found` if the parent is gone */
    insert: (scope: Scope): Promise<Scope> =>
      store.write((tx) => {
        insertScope(tx, scope);
        return scope;
      }),

    /** Replaces a scope if `version` is the current one. @throws Refusal `not found or stale`, `duplicate name` */
    change: (id: string, version: number, change: (current: Scope) => Scope): Promise<Scope> =>
      store.write((tx) => {
        const row = tx.get(byId(id));
        if (row === undefined || row.version !== version) {
          throw new Refusal('not found or stale', `Scope "${id}" not found or incorrect version provided.`);
        }
        const scope = { ...change(toScope(row)), version: row.version + 1 };
        unlessNameTaken(
          () => tx.run(build.updateTable('scope').set(toRow(scope)).where('id', '=', id).compile()),
          () => taken(scope),
        );
        return scope;
      }),

    /** Deletes a scope and everything in it, in several writes if that is much. @throws Refusal `not found` */
    async remove(id: string, now: number): Promise<void> {
      const projects = children(id);
      for (const scopeId of [...projects.map((project) => project.id), id]) {
        await transferTurn();
        for (const kind of contents) await removeAllIn(store, kind, scopeId, now);
      }
      if (projects.length > 0)
        await writeInParts(store, (tx, isOver) => {
          while (!isOver()) {
            const row = tx.get(childrenOf(id));
            if (row === undefined) return true;
            removeTree(tx, toScope(row), now);
          }
          return false;
        });
      await store.write((tx) => {
        const row = tx.get(byId(id));
        if (row === undefined) throw notFound();
        removeTree(tx, toScope(row), now);
      });
    },
  };
}

/** Inserts a scope in the caller's transaction. @throws Refusal `duplicate name`, `not found` if the parent is gone */
export function insertScope(tx: Writer<Schema>, scope: Scope): void {
  const { build } = tx;
  if (scope.parentId !== '') {
    const parent = tx.get(build.selectFrom('scope').select('id').where('id', '=', scope.parentId).compile());
    if (parent === undefined) throw notFound();
  }
  unlessNameTaken(
    () => tx.run(build.insertInto('scope').values(toRow(scope)).compile()),
    () => taken(scope),
  );
}

function removeTree(tx: Writer<Schema>, scope: Scope, now: number): void {
  const { build } = tx;
  const children = tx.all(build.selectFrom('scope').selectAll().where('parent_id', '=', scope.id).compile());
  for (const child of children) removeTree(tx, toScope(child), now);
  for (const kind of contents) removeResources(tx, kind, idsIn(tx, kind, scope.id), now);
  tx.run(build.deleteFrom('scope').where('id', '=', scope.id).compile());
}

function taken({ name }: Scope): string {
  return `This scope already contains a scope named ${JSON.stringify(name)}.`;
}

function toRow(scope: Scope): Schema['scope'] {
  return {
    id: scope.id,
    type: scope.type,
    parent_id: scope.parentId === '' ? null : scope.parentId,
    name: scope.name,
    description: scope.description,
    created_time: scope.createdTime,
    updated_time: scope.updatedTime,
    version: scope.version,
  };
}

function toScope(row: Selectable<Schema['scope']>): Scope {
  return {
    id: row.id,
    type: row.type,
    parentId: row.parent_id ?? '',
    name: row.name,
    description: row.description,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    version: row.version,
  };
}
