import { dateOf } from '@gatehouse/service-kit/clock';
import { newId } from '@gatehouse/service-kit/ids';
import { isUniqueViolation } from '@gatehouse/service-kit/store';
import { sql, type Selectable, type SqlBool } from 'kysely';
import type { Box, BoxChange } from '../domain/box.ts';
import { nameKey } from '../domain/names.ts';
import { notFound, unprocessable } from '../domain/refusal.ts';
import type { RegistryReader, RegistryStore } from './database.ts';
import { imageKeysOf } from './image-keys.ts';
import type { BoxTable } from './schema.ts';

/** Most boxes of one owner: an answer about an owner has all of them. */
const mostBoxes = 2_000;

export type BoxStore = ReturnType<typeof boxStore>;

export interface NewBox {
  readonly namespaceId: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly isPrivate: boolean;
}

/** The condition that a box has a released version. */
export const isReleased = sql<SqlBool>`exists (select 1 from version where version.box_id = box.id and version.status = 'active')`;

/** Stores boxes without their versions. */
export function boxStore(store: RegistryStore) {
  const all = selectBoxes(store);
  return {
    find(namespaceId: string, name: string): Box | undefined {
      const row = store.get(
        all.where('box.namespace_id', '=', namespaceId).where('box.name_key', '=', nameKey(name)).compile(),
      );
      return row === undefined ? undefined : toBox(row);
    },

    /** Downloads by day (`2026-11-22`, UTC), oldest first, without empty days. */
    downloads: (id: string): { readonly date: string; readonly count: number }[] =>
      store
        .all(
          store.build
            .selectFrom('download')
            .select(['day', 'count'])
            .where('box_id', '=', id)
            .orderBy('day')
            .compile(),
        )
        .map(({ day, count }) => ({ date: dateOf(day), count })),

    /** Whether a box is private; undefined if it has been deleted. */
    isPrivate(id: string): boolean | undefined {
      const box = store.build.selectFrom('box').select('is_private').where('id', '=', id);
      const row = store.get(box.compile());
      return row && row.is_private !== 0;
    },

    /** The boxes of a namespace, by name. Reads one at a time, in its present state: each may have 64 KiB. */
    *list(namespaceId: string, which: 'all' | 'public'): Generator<Box> {
      let next = all.where('box.namespace_id', '=', namespaceId).orderBy('box.name_key').limit(1);
      if (which === 'public') next = next.where('box.is_private', '=', 0);
      for (let after = ''; ;) {
        const row = store.get(next.where('box.name_key', '>', after).compile());
        if (row === undefined) return;
        yield toBox(row);
        after = row.name_key;
      }
    },

    /** The number of a namespace's boxes; `released` counts only public ones with a released version. */
    count: (namespaceId: string, which: 'all' | 'released'): number => countOf(store, namespaceId, which),

    /** @throws Refusal `unprocessable` if the name is taken, or the owner has too many boxes */
    create: (box: NewBox, now: number): Promise<Box> =>
      store.write((tx) => {
        if (countOf(tx, box.namespaceId, 'all') >= mostBoxes)
          throw unprocessable('An owner can have at most 2,000 boxes: delete some, or use another owner');
        const id = newId('box');
        const values = {
          id,
          namespace_id: box.namespaceId,
          name: box.name,
          name_key: nameKey(box.name),
          short_description: box.shortDescription,
          description: box.description,
          is_private: box.isPrivate ? 1 : 0,
          downloads: 0,
          created_time: now,
          updated_time: now,
        };
        uniquely(() => tx.run(tx.build.insertInto('box').values(values).compile()));
        return requireBox(tx, id);
      }),

    /** @throws Refusal `unprocessable` if the name is taken, `not found` */
    update: (id: string, change: BoxChange, now: number): Promise<Box> =>
      store.write((tx) => {
        const { name, shortDescription, description, isPrivate } = change;
        const values = {
          ...(name !== undefined && { name, name_key: nameKey(name) }),
          ...(shortDescription !== undefined && { short_description: shortDescription }),
          ...(description !== undefined && { description }),
          ...(isPrivate !== undefined && { is_private: isPrivate ? 1 : 0 }),
          updated_time: now,
        };
        uniquely(() => tx.run(tx.build.updateTable('box').set(values).where('id', '=', id).compile()));
        return requireBox(tx, id);
      }),

    /**
     * Deletes a box with everything in it.
     * @returns the keys of images that are no longer referenced
     * @throws Refusal `not found`
     */
    remove: (id: string): Promise<readonly string[]> =>
      store.write((tx) => {
        const keys = imageKeysOf(tx, 'box', id);
        if (tx.run(tx.build.deleteFrom('box').where('id', '=', id).compile()) === 0) throw notFound();
        return keys;
      }),
  };
}

/** Builds a query of boxes with the names of their namespaces. */
export function selectBoxes({ build }: RegistryReader) {
  return build
    .selectFrom('box')
    .innerJoin('namespace', 'namespace.id', 'box.namespace_id')
    .selectAll('box')
    .select('namespace.name as username');
}

type BoxRow = Selectable<BoxTable> & { readonly username: string };

/** A row of `selectBoxes`. */
export function toBox(row: BoxRow): Box {
  return {
    id: row.id,
    namespaceId: row.namespace_id,
    username: row.username,
    name: row.name,
    shortDescription: row.short_description,
    description: row.description,
    isPrivate: row.is_private !== 0,
    downloads: row.downloads,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
  };
}

function countOf(reader: RegistryReader, namespaceId: string, which: 'all' | 'released'): number {
  let boxes = reader.build.selectFrom('box').where('namespace_id', '=', namespaceId);
  if (which === 'released') {
    boxes = boxes.where('is_private', '=', 0).where(isReleased);
  }
  return reader.get(boxes.select(({ fn }) => fn.countAll<number>().as('count')).compile())?.count ?? 0;
}

function requireBox(reader: RegistryReader, id: string): Box {
  const row = reader.get(selectBoxes(reader).where('box.id', '=', id).compile());
  if (row === undefined) throw notFound();
  return toBox(row);
}

function uniquely(statement: () => number): void {
  try {
    statement();
  } catch (error) {
    // The message by which Vagrant's clients recognize an existing box.
    if (isUniqueViolation(error)) throw unprocessable('Type has already been taken');
    throw error;
  }
}
