import { newId } from '@gatehouse/service-kit/ids';
import { isUniqueViolation } from '@gatehouse/service-kit/store';
import { sql, type Selectable } from 'kysely';
import { isUsable } from '../domain/box.ts';
import type { Version } from '../domain/box.ts';
import { notFound, unprocessable } from '../domain/refusal.ts';
import { compareVersionNumbers } from '../domain/version-number.ts';
import type { RegistryReader, RegistryStore, RegistryWriter } from './database.ts';
import { imageKeysOf } from './image-keys.ts';
import { toProvider } from './providers.ts';
import type { ProviderTable, VersionTable } from './schema.ts';

/** Versions of boxes, with their providers. */
export interface VersionStore {
  find(boxId: string, number: string): Version | undefined;
  /** Of a box, newest number first. */
  ofBox(boxId: string): readonly Version[];
  /** Of several boxes, by the box's id, newest number first. Their descriptions are left out: they may be megabytes. */
  ofBoxes(boxIds: readonly string[]): ReadonlyMap<string, readonly Version[]>;
  /** The newest one of each box that is released, without its description. */
  currentOf(boxIds: readonly string[]): ReadonlyMap<string, readonly Version[]>;
  /** @throws Refusal `unprocessable` when there is one of this number, or the box has too much text */
  create(
    boxId: string,
    version: { readonly version: string; readonly description: string },
    now: number,
  ): Promise<Version>;
  /** @throws Refusal `unprocessable` when there is another one of the number, or the box has too much text, `not found` */
  update(
    id: string,
    change: { readonly version?: string; readonly description?: string },
    now: number,
  ): Promise<Version>;
  /** From unreleased to active. @throws Refusal `unprocessable`, `not found` */
  release(id: string, now: number): Promise<Version>;
  /** From active to revoked. @throws Refusal `unprocessable`, `not found` */
  revoke(id: string, now: number): Promise<Version>;
  /** Deletes a version; answers the keys of images that nothing refers to any more. @throws Refusal `not found` */
  remove(id: string): Promise<readonly string[]>;
}

/** Versions in the store of the box registry. */
export function versionStore(store: RegistryStore): VersionStore {
  const move = (
    id: string,
    now: number,
    check: (version: Version) => 'active' | 'revoked',
  ): Promise<Version> =>
    store.write((tx) => {
      const version = requireVersion(tx, id);
      const values = { status: check(version), updated_time: now };
      tx.run(tx.build.updateTable('version').set(values).where('id', '=', id).compile());
      tx.run(
        tx.build.updateTable('box').set({ updated_time: now }).where('id', '=', version.boxId).compile(),
      );
      return { ...version, status: values.status, updatedTime: now };
    });

  return {
    find(boxId, number) {
      const { build } = store;
      const row = store.get(
        build
          .selectFrom('version')
          .selectAll()
          .where('box_id', '=', boxId)
          .where('version', '=', number)
          .compile(),
      );
      return row === undefined ? undefined : withProviders(store, [row])[0];
    },

    ofBox: (boxId) =>
      newestFirst(
        withProviders(
          store,
          store.all(store.build.selectFrom('version').selectAll().where('box_id', '=', boxId).compile()),
        ),
      ),

    ofBoxes(boxIds) {
      if (boxIds.length === 0) return new Map();
      const rows = store.all(withoutTexts(store.build).where('box_id', 'in', boxIds).compile());
      return Map.groupBy(newestFirst(withProviders(store, rows)), ({ boxId }) => boxId);
    },

    currentOf(boxIds) {
      if (boxIds.length === 0) return new Map();
      const released = store.all(
        store.build
          .selectFrom('version')
          .select(['id', 'box_id', 'version'])
          .where('box_id', 'in', boxIds)
          .where('status', '=', 'active')
          .compile(),
      );
      const current = [...Map.groupBy(released, ({ box_id }) => box_id).values()].flatMap((versions) =>
        newestFirst(versions)
          .slice(0, 1)
          .map(({ id }) => id),
      );
      const rows = store.all(withoutTexts(store.build).where('id', 'in', current).compile());
      return Map.groupBy(withProviders(store, rows), ({ boxId }) => boxId);
    },

    create: (boxId, version, now) =>
      store.write((tx) => {
        if (tx.get(tx.build.selectFrom('box').select('id').where('id', '=', boxId).compile()) === undefined)
          throw notFound();
        const id = newId('ver');
        const values: VersionTable = {
          id,
          box_id: boxId,
          version: version.version,
          description: version.description,
          status: 'unreleased',
          created_time: now,
          updated_time: now,
        };
        uniquely(() => tx.run(tx.build.insertInto('version').values(values).compile()));
        boundTexts(tx, boxId);
        return requireVersion(tx, id);
      }),

    update: (id, { version, description }, now) =>
      store.write((tx) => {
        const values = {
          ...(version !== undefined && { version }),
          ...(description !== undefined && { description }),
          updated_time: now,
        };
        uniquely(() => tx.run(tx.build.updateTable('version').set(values).where('id', '=', id).compile()));
        const changed = requireVersion(tx, id);
        if (description !== undefined) boundTexts(tx, changed.boxId);
        return changed;
      }),

    release: (id, now) =>
      move(id, now, ({ status, providers }) => {
        if (status === 'active') throw unprocessable('Version has already been released');
        if (status === 'revoked') throw unprocessable('Version was revoked and cannot be released again');
        if (providers.some(isUsable)) return 'active';
        throw providers.some((provider) => provider.image !== null)
          ? unprocessable(
              'Version has no valid provider: an uploaded image differs from the checksum of its provider',
            )
          : unprocessable('Version has no valid provider: one needs a url or an uploaded image');
      }),

    revoke: (id, now) =>
      move(id, now, ({ status }) => {
        if (status !== 'active')
          throw unprocessable(
            status === 'revoked' ? 'Version has already been revoked' : 'Version is not released',
          );
        return 'revoked';
      }),

    remove: (id) =>
      store.write((tx) => {
        const keys = imageKeysOf(tx, 'version', id);
        if (tx.run(tx.build.deleteFrom('version').where('id', '=', id).compile()) === 0) throw notFound();
        return keys;
      }),
  };
}

function requireVersion(reader: RegistryWriter, id: string): Version {
  const row = reader.get(reader.build.selectFrom('version').selectAll().where('id', '=', id).compile());
  const version = row === undefined ? undefined : withProviders(reader, [row])[0];
  if (version === undefined) throw notFound();
  return version;
}

/** Characters that the descriptions of all versions of a box may have: one answer has them all. */
const mostText = 4 * 1024 * 1024;

/** @throws Refusal `unprocessable` */
function boundTexts(tx: RegistryWriter, boxId: string): void {
  const { characters } = tx.get(
    tx.build
      .selectFrom('version')
      .select(sql<number>`sum(length(description))`.as('characters'))
      .where('box_id', '=', boxId)
      .compile(),
  ) ?? { characters: 0 };
  if (characters > mostText)
    throw unprocessable(
      `The descriptions of all versions of a box have at most ${mostText / 1024 / 1024} MiB together: shorten some first`,
    );
}

function newestFirst<Numbered extends { readonly version: string }>(
  versions: readonly Numbered[],
): Numbered[] {
  return versions.toSorted((one, other) => compareVersionNumbers(other.version, one.version));
}

function withoutTexts(build: RegistryReader['build']) {
  return build
    .selectFrom('version')
    .select(['id', 'box_id', 'version', 'status', 'created_time', 'updated_time'])
    .select(sql<string>`''`.as('description'));
}

/** Most values of one statement's list. */
const listSize = 500;

function withProviders(reader: RegistryReader, rows: readonly Selectable<VersionTable>[]): Version[] {
  const providers: Selectable<ProviderTable>[] = [];
  for (let at = 0; at < rows.length; at += listSize) {
    const ids = rows.slice(at, at + listSize).map((row) => row.id);
    providers.push(
      ...reader.all(
        reader.build
          .selectFrom('provider')
          .selectAll()
          .where('version_id', 'in', ids)
          .orderBy('name_key')
          .orderBy('architecture_key')
          .compile(),
      ),
    );
  }
  const byVersion = Map.groupBy(providers, (row) => row.version_id);
  return rows.map((row) => ({
    id: row.id,
    boxId: row.box_id,
    version: row.version,
    description: row.description,
    status: row.status,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    providers: (byVersion.get(row.id) ?? []).map(toProvider),
  }));
}

function uniquely(statement: () => number): void {
  try {
    statement();
  } catch (error) {
    if (isUniqueViolation(error)) throw unprocessable('Version has already been taken');
    throw error;
  }
}
