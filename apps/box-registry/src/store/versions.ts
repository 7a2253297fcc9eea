import { newId } from '@gatehouse/service-kit/ids';
import { isUniqueViolation } from '@gatehouse/service-kit/store';
import { sql, type Selectable } from 'kysely';
import { isUsable } from '../domain/box.ts';
import type { Version, VersionStatus } from '../domain/box.ts';
import { notFound, unprocessable } from '../domain/refusal.ts';
import { newestFirst } from '../domain/version-number.ts';
import { sizeVersion } from './answer-size.ts';
import type { RegistryReader, RegistryStore, RegistryWriter } from './database.ts';
import { imageKeysOf } from './image-keys.ts';
import { toProvider } from './providers.ts';
import { keepReleasedName } from './released-names.ts';
import type { VersionTable } from './schema.ts';

export type VersionStore = ReturnType<typeof versionStore>;

/** Stores the versions of boxes, with their providers. */
export function versionStore(store: RegistryStore) {
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
      if (values.status === 'active') keepReleasedName(tx, version.boxId);
      return { ...version, status: values.status, updatedTime: now };
    });

  /** The versions with these IDs, in this order, without deleted ones. */
  const read = (ids: readonly string[], texts: boolean): Version[] => {
    const { build } = store;
    const description = texts ? sql.ref<string>('description') : sql<string>`''`;
    const rows = store.all(
      build
        .selectFrom('version')
        .select(['id', 'box_id', 'version', 'status', 'created_time', 'updated_time'])
        .select(description.as('description'))
        .where('id', 'in', ids)
        .compile(),
    );
    const byId = new Map(withProviders(store, rows).map((version) => [version.id, version]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  return {
    find(boxId: string, number: string): Version | undefined {
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

    /**
     * The versions of a box that have one of these statuses, newest number first. Reads a few at a time, each in its
     * present state, since all of them may be megabytes.
     * @param texts whether to include descriptions
     */
    *ofBox(boxId: string, statuses: readonly VersionStatus[], texts: boolean): Generator<Version> {
      for (const piece of piecesOf(newestFirst(listed(store, boxId, statuses)))) yield* read(piece, texts);
    },

    /** The newest released version of a box. @param texts whether to include its description */
    currentOf(boxId: string, texts: boolean): Version | undefined {
      const [newest] = newestFirst(listed(store, boxId, ['active']));
      return newest === undefined ? undefined : read([newest.id], texts)[0];
    },

    /** @throws Refusal `unprocessable` if the number is taken, or the box would be too large */
    create: (
      boxId: string,
      version: { readonly version: string; readonly description: string },
      now: number,
    ): Promise<Version> =>
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
          size: 0,
        };
        uniquely(() => tx.run(tx.build.insertInto('version').values(values).compile()));
        sizeVersion(tx, id);
        return requireVersion(tx, id);
      }),

    /** @throws Refusal `unprocessable` if the number is taken, or it or its box would be too large; `not found` */
    update: (
      id: string,
      { version, description }: { readonly version?: string; readonly description?: string },
      now: number,
    ): Promise<Version> =>
      store.write((tx) => {
        const values = {
          ...(version !== undefined && { version }),
          ...(description !== undefined && { description }),
          updated_time: now,
        };
        uniquely(() => tx.run(tx.build.updateTable('version').set(values).where('id', '=', id).compile()));
        sizeVersion(tx, id);
        return requireVersion(tx, id);
      }),

    /** From unreleased to active. @throws Refusal `unprocessable`, `not found` */
    release: (id: string, now: number): Promise<Version> =>
      move(id, now, ({ status, providers }) => {
        if (status === 'active') throw unprocessable('Version has already been released');
        if (status === 'revoked') throw unprocessable('Version was revoked and cannot be released again');
        if (providers.some(isUsable)) return 'active';
        throw providers.some((provider) => provider.image !== null)
          ? unprocessable(
              "Version has no valid provider: an uploaded image doesn't match its provider's checksum",
            )
          : unprocessable('Version has no valid provider: a provider needs a url or an uploaded image');
      }),

    /** From active to revoked. @throws Refusal `unprocessable`, `not found` */
    revoke: (id: string, now: number): Promise<Version> =>
      move(id, now, ({ status }) => {
        if (status !== 'active')
          throw unprocessable(
            status === 'revoked' ? 'Version has already been revoked' : 'Version is not released',
          );
        return 'revoked';
      }),

    /** Deletes a version. @returns the keys of images that are no longer referenced @throws Refusal `not found` */
    remove: (id: string): Promise<readonly string[]> =>
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

/** Most bytes of the versions that are read at once, a few milliseconds of work. */
const pieceSize = 128 * 1024;

/** The IDs of versions in their order, a few at a time. */
function* piecesOf(versions: readonly Pick<VersionTable, 'id' | 'size'>[]): Generator<readonly string[]> {
  let piece: string[] = [];
  let size = 0;
  for (const version of versions) {
    if (piece.length > 0 && size + version.size > pieceSize) {
      yield piece;
      piece = [];
      size = 0;
    }
    piece.push(version.id);
    size += version.size;
  }
  if (piece.length > 0) yield piece;
}

/** Reads only columns of an index, which avoids reading the descriptions. */
function listed(reader: RegistryReader, boxId: string, statuses: readonly VersionStatus[]) {
  return reader.all(
    reader.build
      .selectFrom('version')
      .select(['id', 'version', 'size'])
      .where('box_id', '=', boxId)
      .where('status', 'in', statuses)
      .compile(),
  );
}

function withProviders(
  reader: RegistryReader,
  rows: readonly Omit<Selectable<VersionTable>, 'size'>[],
): Version[] {
  const ids = rows.map((row) => row.id);
  const providers = reader.all(
    reader.build
      .selectFrom('provider')
      .selectAll()
      .where('version_id', 'in', ids)
      .orderBy('name_key')
      .orderBy('architecture_key')
      .compile(),
  );
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
