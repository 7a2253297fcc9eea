import { parseJson } from '@gatehouse/service-kit/parse-json';
import { withParameters, writeInParts } from '@gatehouse/service-kit/store';
import type { CompiledQuery } from 'kysely';
import { checkValueSize } from '../../core/fields.ts';
import { customMetadataText, parseCustomMetadata } from '../../domain/kv/custom-metadata.ts';
import type { CustomMetadata } from '../../domain/kv/custom-metadata.ts';
import { deletionTime, noSettings, versionsKept } from '../../domain/kv/settings.ts';
import type { KvSettings } from '../../domain/kv/settings.ts';
import type { Barrier } from '../barrier.ts';
import type { SecretsReader, SecretsStore, SecretsWriter } from '../database.ts';
import { places } from '../places.ts';
import { kvQueries } from './queries.ts';
import type { KeyRow, VersionRow } from './queries.ts';

/** A secret's key with its metadata. Times are in milliseconds since the epoch. */
export interface KvKey extends KvSettings {
  readonly id: number;
  /** 0 if only metadata was ever written. */
  readonly currentVersion: number;
  /** 0 until the first version is pruned. */
  readonly oldestVersion: number;
  readonly createdTime: number;
  readonly updatedTime: number;
  /** JSON text of the custom metadata; null if there is none. */
  readonly customMetadata: string | null;
}

/** A version without its value. */
export interface KvVersion {
  readonly version: number;
  readonly createdTime: number;
  /** Possibly in the future; null if deletion is not scheduled. */
  readonly deletionTime: number | null;
  readonly destroyed: boolean;
}

/** A version with its value. */
export interface FoundVersion extends KvVersion {
  /** JSON text of the key's custom metadata; null if there is none. */
  readonly customMetadata: string | null;
  /** JSON text; null if deleted or destroyed. */
  readonly data: string | null;
}

/** Versions without values that are read at once, which takes less than a millisecond. */
export const versionsAtOnce = 100;

/** One key in a transaction. */
export interface KeyChange {
  readonly engine: KvSettings;
  /** The key before the transaction; undefined if it did not exist. The methods below don't update it. */
  readonly key: KvKey | undefined;
  version(version: number): FoundVersion | undefined;
  /** The first `versionsAtOnce` stored versions after `after`, oldest first. */
  versions(after: number): KvVersion[];
  /** Writes the next version, creates the key if needed, and prunes old versions; many of them after the transaction. */
  addVersion(data: string): FoundVersion;
  /** Sets the time at which a version is deleted; null for never. */
  setDeletionTime(version: number, time: number | null): void;
  /** Deletes a version's value permanently. */
  destroy(version: number): void;
  /** Writes settings and custom metadata, and creates the key if needed. Undefined keeps the custom metadata. */
  saveMetadata(settings: KvSettings, notes: CustomMetadata | undefined): void;
  /** Updates the key's time of change. */
  touch(): void;
}

/** The sealed secrets of all key-value engines. */
export interface KvStore {
  /** @param version 0 for the current version */
  read(mountId: number, path: string, version: number, now: number): FoundVersion | undefined;
  key(mountId: number, path: string): KvKey | undefined;
  /** The first `versionsAtOnce` stored versions after `after`, oldest first. */
  versions(key: KvKey, after: number): KvVersion[];
  /** Runs `work` in a transaction, which is durable once the promise resolves. */
  change<Result>(
    mountId: number,
    path: string,
    now: number,
    work: (change: KeyChange) => Result extends PromiseLike<unknown> ? never : Result,
  ): Promise<Result>;
  /**
   * Runs `work` in transactions until it returns true, or another key has taken the place of this one.
   * @param work changes at least one version, and ends when `isOver`
   */
  changeInParts(
    mountId: number,
    path: string,
    now: number,
    work: (change: KeyChange, isOver: () => boolean) => boolean,
  ): Promise<void>;
  /** Deletes a key with all its versions, if it exists. An interruption leaves the later versions. */
  remove(mountId: number, path: string): Promise<void>;
  config(mountId: number): KvSettings;
  /** @param change returns the new settings; called in the transaction */
  changeConfig(mountId: number, change: (now: KvSettings) => KvSettings): Promise<void>;
}

/** The key-value part of the store, which caches no decrypted data. */
export function kvStore(store: SecretsStore, barrier: Barrier): KvStore {
  const queries = kvQueries(store.build);

  const keyOf = (row: KeyRow): KvKey => ({
    id: row.id,
    currentVersion: row.current_version,
    oldestVersion: row.oldest_version,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    customMetadata: openNotes(row.id, row.custom_metadata),
    ...settingsOf(row),
  });
  const openNotes = (id: number, sealed: Uint8Array | null): string | null =>
    sealed === null ? null : barrier.open(sealed, places.kvNotes(id)).toString('utf8');
  const findKey = (reader: SecretsReader, mountId: number, path: string): KvKey | undefined => {
    const row = reader.get(withParameters(queries.key, mountId, path));
    return row === undefined ? undefined : keyOf(row);
  };
  const findVersion = (
    reader: SecretsReader,
    key: { readonly id: number; readonly customMetadata: string | null },
    version: number,
    now: number,
  ): FoundVersion | undefined => {
    const row = reader.get(withParameters(queries.version, key.id, version));
    return row === undefined ? undefined : found(key.id, row, key.customMetadata, now);
  };
  const found = (
    keyId: number,
    row: VersionRow & { readonly sealed: Uint8Array | null },
    customMetadata: string | null,
    now: number,
  ): FoundVersion => {
    const version = versionOf(row);
    const readable = row.sealed !== null && isReadable(version, now);
    return {
      ...version,
      customMetadata,
      data:
        readable && row.sealed !== null
          ? barrier.open(row.sealed, places.kvVersion(keyId, row.version)).toString('utf8')
          : null,
    };
  };
  const readConfig = (reader: SecretsReader, mountId: number): KvSettings => {
    const row = reader.get(withParameters(queries.config, mountId));
    return row === undefined ? noSettings : settingsOf(row);
  };

  /** Prunes the versions that a lower number of versions to keep left, unless it was raised again. */
  const pruneRest = (mountId: number, path: string): Promise<void> =>
    writeInParts(store, (tx, isOver) => {
      const row = tx.get(withParameters(queries.key, mountId, path));
      if (row === undefined) return true;
      const kept = versionsKept(settingsOf(row), readConfig(tx, mountId));
      return pruneSome(tx, queries, row, row.current_version - kept + 1, isOver);
    });

  /** @param later called if versions are left to prune after the transaction; required for adding a version */
  const changeOf = (
    tx: SecretsWriter,
    mountId: number,
    path: string,
    now: number,
    later?: () => void,
  ): KeyChange => {
    const engine = readConfig(tx, mountId);
    const key = findKey(tx, mountId, path);
    const known = (): KvKey => {
      if (key === undefined) throw new Error('the key does not exist');
      return key;
    };
    const insertKey = (currentVersion: number, settings: KvSettings): number => {
      const row = tx.get(
        withParameters(
          queries.insertKey,
          mountId,
          path,
          currentVersion,
          0,
          now,
          now,
          settings.maxVersions,
          settings.casRequired ? 1 : 0,
          settings.deleteVersionAfter,
          null,
        ),
      );
      if (row === undefined) throw new Error('the key was not inserted');
      return row.id;
    };
    const prune = (id: number, version: number): number => {
      const oldest = version - versionsKept(key ?? noSettings, engine) + 1;
      if (oldest <= 1) return key?.oldestVersion ?? 0;
      const next = pruneStep(tx, queries, id, key?.oldestVersion ?? 0, oldest);
      if (next < oldest) later?.();
      return next;
    };
    return {
      engine,
      key,
      version: (version) => findVersion(tx, known(), version, now),
      versions: (after) =>
        tx.all(withParameters(queries.versions, known().id, after, versionsAtOnce)).map(versionOf),
      addVersion(data) {
        checkValueSize(data);
        const version = (key?.currentVersion ?? 0) + 1;
        const id = key?.id ?? insertKey(version, noSettings);
        const deleted = deletionTime(key ?? noSettings, engine, now);
        const sealed = barrier.seal(data, places.kvVersion(id, version));
        tx.run(withParameters(queries.insertVersion, id, version, now, deleted, 0, sealed));
        if (key !== undefined) tx.run(withParameters(queries.advance, version, prune(id, version), now, id));
        return {
          version,
          createdTime: now,
          deletionTime: deleted,
          destroyed: false,
          customMetadata: key?.customMetadata ?? null,
          data,
        };
      },
      setDeletionTime(version, time) {
        tx.run(withParameters(queries.setDeletionTime, time, known().id, version));
      },
      destroy(version) {
        tx.run(withParameters(queries.destroy, 1, null, known().id, version));
      },
      saveMetadata(settings, notes) {
        const id = key?.id ?? insertKey(0, settings);
        const text = notes === undefined ? (key?.customMetadata ?? null) : customMetadataText(notes);
        tx.run(
          withParameters(
            queries.saveMetadata,
            settings.maxVersions,
            settings.casRequired ? 1 : 0,
            settings.deleteVersionAfter,
            text === null ? null : barrier.seal(text, places.kvNotes(id)),
            now,
            id,
          ),
        );
      },
      touch() {
        tx.run(withParameters(queries.touch, now, known().id));
      },
    };
  };

  return {
    read(mountId, path, version, now) {
      const row = store.get(
        version === 0
          ? withParameters(queries.currentVersion, mountId, path)
          : withParameters(queries.keyVersion, version, mountId, path),
      );
      return row === undefined
        ? undefined
        : found(row.key_id, row, openNotes(row.key_id, row.custom_metadata), now);
    },
    key: (mountId, path) => findKey(store, mountId, path),
    versions: (key, after) =>
      store.all(withParameters(queries.versions, key.id, after, versionsAtOnce)).map(versionOf),
    async change(mountId, path, now, work) {
      let isPruned = true;
      const later = (): void => {
        isPruned = false;
      };
      const result = await store.write((tx) => work(changeOf(tx, mountId, path, now, later)));
      if (!isPruned) await pruneRest(mountId, path);
      return result;
    },
    async changeInParts(mountId, path, now, work) {
      let id: number | undefined;
      await writeInParts(store, (tx, isOver) => {
        const change = changeOf(tx, mountId, path, now);
        id ??= change.key?.id;
        return change.key?.id !== id || work(change, isOver);
      });
    },
    async remove(mountId, path) {
      let id: number | undefined;
      await writeInParts(store, (tx, isOver) => {
        const row = tx.get(withParameters(queries.key, mountId, path));
        id ??= row?.id;
        // Another key may have been created in its place.
        return row === undefined || row.id !== id || removeSome(tx, queries, row, isOver);
      });
    },
    config: (mountId) => readConfig(store, mountId),
    async changeConfig(mountId, change) {
      await store.write((tx) => {
        const settings = change(readConfig(tx, mountId));
        const values = {
          max_versions: settings.maxVersions,
          cas_required: settings.casRequired ? 1 : 0,
          delete_version_after: settings.deleteVersionAfter,
        };
        tx.run(
          tx.build
            .insertInto('kv_config')
            .values({ mount_id: mountId, ...values })
            .onConflict((conflict) => conflict.column('mount_id').doUpdateSet(values))
            .compile(),
        );
      });
    },
  };
}

/** Deletes all keys of an engine, in several writes. @param condition each write deletes only if it finds a row */
export async function removeKeys(
  store: SecretsStore,
  mountId: number,
  condition?: CompiledQuery,
): Promise<void> {
  const queries = kvQueries(store.build);
  await writeInParts(store, (tx, isOver) => {
    if (condition !== undefined && tx.get(condition) === undefined) return true;
    for (;;) {
      const row = tx.get(withParameters(queries.anyKey, mountId, 1));
      if (row === undefined) return true;
      if (!removeSome(tx, queries, row, isOver) || isOver()) return false;
    }
  });
}

/** Versions that are deleted at once. At the largest size, this takes a few milliseconds. */
const prunedAtOnce = 8;

/** Deletes some of a key's versions from `from` up to `oldest`. @returns the oldest version that is left */
function pruneStep(
  tx: SecretsWriter,
  queries: ReturnType<typeof kvQueries>,
  keyId: number,
  from: number,
  oldest: number,
): number {
  const next = Math.min(oldest, Math.max(from, 1) + prunedAtOnce);
  tx.run(withParameters(queries.prune, keyId, next));
  // Raising the limit does not restore versions that were already pruned.
  return Math.max(from, next);
}

/** Deletes versions older than `oldest` until `isOver`, the oldest first. @returns whether none is left */
function pruneSome(
  tx: SecretsWriter,
  queries: ReturnType<typeof kvQueries>,
  { id, oldest_version: from }: KeyRow,
  oldest: number,
  isOver: () => boolean,
): boolean {
  let next = from;
  while (next < oldest && (next === from || !isOver())) next = pruneStep(tx, queries, id, next, oldest);
  if (next > from) tx.run(withParameters(queries.setOldest, next, id));
  return next >= oldest;
}

/** Deletes a key, or its oldest versions if that takes longer. @returns whether the key is deleted */
function removeSome(
  tx: SecretsWriter,
  queries: ReturnType<typeof kvQueries>,
  row: KeyRow,
  isOver: () => boolean,
): boolean {
  if (!pruneSome(tx, queries, row, row.current_version - prunedAtOnce, isOver)) return false;
  tx.run(withParameters(queries.remove, row.id));
  return true;
}

/** Whether a version's value can be read at `now`: not destroyed, and not past its deletion time. */
export function isReadable(version: KvVersion, now: number): boolean {
  return !version.destroyed && (version.deletionTime === null || version.deletionTime > now);
}

/** The custom metadata of a key. */
export function notesOf(key: KvKey | undefined): CustomMetadata {
  const text = key?.customMetadata ?? null;
  return text === null ? new Map() : parseCustomMetadata(parseJson(text) as Record<string, unknown>);
}

function settingsOf(row: {
  readonly max_versions: number;
  readonly cas_required: number;
  readonly delete_version_after: number;
}): KvSettings {
  return {
    maxVersions: row.max_versions,
    casRequired: row.cas_required === 1,
    deleteVersionAfter: row.delete_version_after,
  };
}

function versionOf(row: VersionRow): KvVersion {
  return {
    version: row.version,
    createdTime: row.created_time,
    deletionTime: row.deletion_time,
    destroyed: row.destroyed === 1,
  };
}
