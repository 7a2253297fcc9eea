import type { Kysely, Selectable } from 'kysely';
import type { KvKeyTable, KvVersionTable, Schema } from '../schema.ts';

export type KeyRow = Selectable<KvKeyTable>;
/** A version's row without its value. */
export type VersionRow = Omit<Selectable<KvVersionTable>, 'key_id' | 'sealed'>;

/** The prepared statements of the key-value engine; each comment lists the parameters in order. */
export function kvQueries(build: Kysely<Schema>) {
  const version = ['version', 'created_time', 'deletion_time', 'destroyed'] as const;
  const readColumns = [
    'kv_key.id as key_id',
    'kv_key.custom_metadata',
    'kv_version.version',
    'kv_version.created_time',
    'kv_version.deletion_time',
    'kv_version.destroyed',
    'kv_version.sealed',
  ] as const;
  return {
    /** Parameters: mount, path. */
    key: build.selectFrom('kv_key').selectAll().where('mount_id', '=', 0).where('path', '=', '').compile(),
    /** Parameters: mount, path. */
    currentVersion: build
      .selectFrom('kv_key')
      .innerJoin('kv_version', (join) =>
        join
          .onRef('kv_version.key_id', '=', 'kv_key.id')
          .onRef('kv_version.version', '=', 'kv_key.current_version'),
      )
      .select(readColumns)
      .where('kv_key.mount_id', '=', 0)
      .where('kv_key.path', '=', '')
      .compile(),
    /** Parameters: version, mount, path. */
    keyVersion: build
      .selectFrom('kv_key')
      .innerJoin('kv_version', (join) =>
        join.onRef('kv_version.key_id', '=', 'kv_key.id').on('kv_version.version', '=', 0),
      )
      .select(readColumns)
      .where('kv_key.mount_id', '=', 0)
      .where('kv_key.path', '=', '')
      .compile(),
    /** Parameters: key, version. */
    version: build
      .selectFrom('kv_version')
      .select([...version, 'sealed'])
      .where('key_id', '=', 0)
      .where('version', '=', 0)
      .compile(),
    /** Parameters: key, version before the first, the maximum number. */
    versions: build
      .selectFrom('kv_version')
      .select(version)
      .where('key_id', '=', 0)
      .where('version', '>', 0)
      .orderBy('version')
      .limit(0)
      .compile(),
    /** Parameters: mount, path, current version, oldest version, created, updated, settings, notes. */
    insertKey: build
      .insertInto('kv_key')
      .values({
        mount_id: 0,
        path: '',
        current_version: 0,
        oldest_version: 0,
        created_time: 0,
        updated_time: 0,
        max_versions: 0,
        cas_required: 0,
        delete_version_after: 0,
        custom_metadata: new Uint8Array(),
      })
      .returning('id')
      .compile(),
    /** Parameters: key, version, created, deletion, destroyed, value. */
    insertVersion: build
      .insertInto('kv_version')
      .values({
        key_id: 0,
        version: 0,
        created_time: 0,
        deletion_time: 0,
        destroyed: 0,
        sealed: new Uint8Array(),
      })
      .compile(),
    /** Parameters: current version, oldest version, updated, key. */
    advance: build
      .updateTable('kv_key')
      .set({ current_version: 0, oldest_version: 0, updated_time: 0 })
      .where('id', '=', 0)
      .compile(),
    /** Parameters: mount, 1. */
    anyKey: build.selectFrom('kv_key').selectAll().where('mount_id', '=', 0).limit(1).compile(),
    /** Parameters: oldest version, key. */
    setOldest: build.updateTable('kv_key').set({ oldest_version: 0 }).where('id', '=', 0).compile(),
    /** Parameters: key, oldest version that stays. */
    prune: build.deleteFrom('kv_version').where('key_id', '=', 0).where('version', '<', 0).compile(),
    /** Parameters: time, key, version. */
    setDeletionTime: build
      .updateTable('kv_version')
      .set({ deletion_time: 0 })
      .where('key_id', '=', 0)
      .where('version', '=', 0)
      .compile(),
    /** Parameters: destroyed, value, key, version. */
    destroy: build
      .updateTable('kv_version')
      .set({ destroyed: 1, sealed: new Uint8Array() })
      .where('key_id', '=', 0)
      .where('version', '=', 0)
      .compile(),
    /** Parameters: settings, notes, updated, key. */
    saveMetadata: build
      .updateTable('kv_key')
      .set({
        max_versions: 0,
        cas_required: 0,
        delete_version_after: 0,
        custom_metadata: new Uint8Array(),
        updated_time: 0,
      })
      .where('id', '=', 0)
      .compile(),
    /** Parameters: updated, key. */
    touch: build.updateTable('kv_key').set({ updated_time: 0 }).where('id', '=', 0).compile(),
    /** Parameters: key. */
    remove: build.deleteFrom('kv_key').where('id', '=', 0).compile(),
    /** Parameters: mount. */
    config: build
      .selectFrom('kv_config')
      .select(['max_versions', 'cas_required', 'delete_version_after'])
      .where('mount_id', '=', 0)
      .compile(),
    /** Parameters: mount, first path, end path (exclusive), limit. */
    paths: build
      .selectFrom('kv_key')
      .select('path')
      .where('mount_id', '=', 0)
      .where('path', '>=', '')
      .where('path', '<', '')
      .orderBy('path')
      .limit(0)
      .compile(),
  };
}
