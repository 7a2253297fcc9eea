import { turnsByKey } from '@gatehouse/service-kit/turns';
import { currentAsker } from '@gatehouse/service-kit/write-queue';
import type { Backend, Handler, Answer, Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { formatDuration } from '../../core/duration.ts';
import { mapField, numberParameter } from '../../core/fields.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { listPart } from '../../core/list-names.ts';
import { Refusal } from '../../core/refusal.ts';
import { backendOf } from '../../core/routes.ts';
import { wireTime } from '../../core/time.ts';
import { checkAndSet, expectedVersion } from '../../domain/kv/check-and-set.ts';
import { parseCustomMetadata } from '../../domain/kv/custom-metadata.ts';
import { mergePatch } from '../../domain/kv/merge-patch.ts';
import { casRequired, noSettings, deletionTime } from '../../domain/kv/settings.ts';
import { subkeys } from '../../domain/kv/subkeys.ts';
import { kvStore, type KvStore, isReadable, versionsAtOnce } from '../../store/kv/kv-store.ts';
import { keyLister, type ListKeys } from '../../store/kv/list-keys.ts';
import { changeVersions } from './change-versions.ts';
import { configRoute } from './config.ts';
import { dataParameter, keyPath, versionParameter } from './parameters.ts';
import { patchMetadata } from './patch-metadata.ts';
import { settingsFields } from './settings-fields.ts';
import { versionWire, deletionWire, nothingToPatch } from './wire.ts';

/** The operations' commands in the `kv` command line. */
const commands = {
  create: 'put',
  update: 'put',
  read: 'get',
  patch: 'patch',
  delete: 'delete',
  list: 'list',
} as const;

const notFound = (warning: string): Answer => ({ status: 404, warnings: [warning] });

const everywhere = (handler: Handler): Route['operations'] => ({
  read: handler,
  update: handler,
  patch: handler,
  delete: handler,
});

const atRoot = everywhere(() =>
  notFound('Non-listing operations on the root of a K/V v2 mount are not supported.'),
);

const elsewhere: Handler = ({ operation }) =>
  notFound(
    'Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints to use. ' +
      `If using the OpenBao CLI, use 'bao kv ${commands[operation]}' for this operation.`,
  );

/** All other paths, which clients request if they take the engine for one without versions. */
const unknownPath: Route = { path: '*', operations: { ...everywhere(elsewhere), list: elsewhere } };

const secretFields = ['data', 'options', 'version'];
const metadataFields = ['max_versions', 'cas_required', 'delete_version_after', 'custom_metadata'];

/** How often a patch is merged while others change its secret. */
const patchAttempts = 10;

/** The common part of routes that change versions. */
const versions = { fields: ['versions'], forwarded: true };

export function kvBackend({ store, barrier }: Pick<Context, 'store' | 'barrier'>): Backend {
  const kv = kvStore(store, barrier);
  const list = listKeys(keyLister(store));
  const routes = backendOf([
    ...rootRoutes(list),
    configRoute(kv),
    {
      path: 'data/*path',
      fields: secretFields,
      forwarded: true,
      // A key that has only metadata has no version yet, so the first write is a create.
      exists: ({ mount }, { path = '' }) => (kv.key(mount.id, path)?.currentVersion ?? 0) > 0,
      operations: {
        read: readSecret(kv),
        update: writeSecret(kv),
        patch: patchSecret(kv),
        delete: deleteLatest(kv),
      },
    },
    { path: 'subkeys/*path', operations: { read: readSubkeys(kv) } },
    { ...versions, path: 'delete/*path', operations: { update: deleteVersions(kv) } },
    { ...versions, path: 'undelete/*path', operations: { update: undeleteVersions(kv) } },
    { ...versions, path: 'destroy/*path', operations: { update: destroyVersions(kv) } },
    {
      path: 'metadata/*path',
      fields: metadataFields,
      forwarded: true,
      exists: ({ mount }, { path = '' }) => kv.key(mount.id, path) !== undefined,
      operations: {
        list,
        read: readMetadata(kv),
        update: writeMetadata(kv),
        patch: patchMetadata(kv),
        delete: deleteMetadata(kv),
      },
    },
  ]);
  return { match: (path) => routes.match(path) ?? { route: unknownPath, params: {} } };
}

function writeSecret(kv: KvStore): Handler {
  return async (request, params) => {
    const path = keyPath(params['path']);
    const data = dataParameter(request);
    const expected = expectedVersion(request.body);
    const written = await kv.change(request.mount.id, path, request.now, (change) => {
      const { key = { ...noSettings, currentVersion: 0 }, engine } = change;
      checkAndSet(expected, key.currentVersion, casRequired(key, engine));
      return change.addVersion(data);
    });
    return { data: new JsonText(versionWire(written)) };
  };
}

/** Writes settings and custom metadata, and creates the key if needed. Custom metadata is replaced as a whole. */
function writeMetadata(kv: KvStore): Handler {
  return async ({ mount, body, now }, params) => {
    const path = keyPath(params['path']);
    const notes = Object.hasOwn(body.values, 'custom_metadata')
      ? parseCustomMetadata(mapField(body, 'custom_metadata') ?? {})
      : undefined;
    await kv.change(mount.id, path, now, (change) => {
      change.saveMetadata(settingsFields(body, change.key ?? noSettings, false), notes);
    });
    return undefined;
  };
}

/** Routes for the first segments without a key, which the client probably forgot. @param list lists all keys */
function rootRoutes(list: Handler): readonly Route[] {
  return [
    ...['data', 'delete', 'undelete', 'destroy'].map((path) => ({ path, operations: atRoot })),
    { path: 'metadata', operations: { ...atRoot, list } },
  ];
}

/** Undeletes versions that are not destroyed. The time until their scheduled deletion starts again. */
function undeleteVersions(kv: KvStore): Handler {
  return changeVersions(kv, (change, version, now) => {
    if (version.destroyed) return false;
    change.setDeletionTime(version.version, deletionTime(change.key ?? noSettings, change.engine, now));
    return true;
  });
}

/** Reads the structure of a secret without its values, down to `depth` levels. */
function readSubkeys(kv: KvStore): Handler {
  return async (request, { path = '' }) => {
    const depth = numberParameter(request, 'depth');
    const found = kv.read(request.mount.id, path, versionParameter(request), request.now);
    if (found === undefined) return undefined;
    const structure = found.data === null ? 'null' : await subkeys(found.data, depth, request.giveWay);
    return {
      status: found.data === null ? 404 : 200,
      data: new JsonText(`{"metadata":${versionWire(found)},"subkeys":${structure}}`),
    };
  };
}

/** Reads a version of a secret, by default the current one. A deleted version is answered with its metadata and 404. */
function readSecret(kv: KvStore): Handler {
  return (request, { path = '' }) => {
    const found = kv.read(request.mount.id, path, versionParameter(request), request.now);
    if (found === undefined) return undefined;
    return {
      status: found.data === null ? 404 : 200,
      data: new JsonText(`{"data":${found.data ?? 'null'},"metadata":${versionWire(found)}}`),
    };
  };
}

/** Reads the metadata of a key and its versions, without values. */
function readMetadata(kv: KvStore): Handler {
  return async ({ mount, giveWay }, { path = '' }) => {
    const key = kv.key(mount.id, path);
    if (key === undefined) return undefined;
    const versions: string[] = [];
    for (let some = kv.versions(key, 0); some.length > 0;) {
      // Versions that are written during the read belong to the next one.
      for (const { version, createdTime, destroyed, ...rest } of some.filter(
        (one) => one.version <= key.currentVersion,
      ))
        versions.push(
          `"${version}":{"created_time":"${wireTime(createdTime)}",` +
            `"deletion_time":"${deletionWire(rest)}","destroyed":${destroyed}}`,
        );
      const last = some.at(-1)?.version ?? 0;
      if (some.length < versionsAtOnce) break;
      await giveWay();
      some = kv.versions(key, last);
    }
    return {
      data: {
        cas_required: key.casRequired,
        created_time: wireTime(key.createdTime),
        current_version: key.currentVersion,
        custom_metadata: new JsonText(key.customMetadata ?? 'null'),
        delete_version_after: formatDuration(key.deleteVersionAfter),
        max_versions: key.maxVersions,
        oldest_version: key.oldestVersion,
        updated_time: wireTime(key.updatedTime),
        versions: new JsonText(`{${versions.join(',')}}`),
      },
    };
  };
}

/** Writes a new version by applying a JSON merge patch to the current one, which must be readable. */
function patchSecret(kv: KvStore): Handler {
  // Of the patches that read the same version, only one can be written, and the others would merge again.
  const inTurn = turnsByKey({ atOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });
  return async (request, params) => {
    const path = keyPath(params['path']);
    const patch = dataParameter(request);
    const expected = expectedVersion(request.body);
    const { mount, now, giveWay } = request;
    /** Merging takes longest, and nobody else can write during a write. Undefined if the version has changed since. */
    const attempt = async (): Promise<Answer | undefined> => {
      await giveWay();
      const seen = { key: kv.key(mount.id, path), version: kv.read(mount.id, path, 0, now) };
      const before = seen.version?.data ?? null;
      const data = before === null ? undefined : await mergePatch(before, patch, giveWay);
      return kv.change(mount.id, path, now, (change) => {
        const { key, engine } = change;
        if (key === undefined || key.currentVersion === 0) return nothingToPatch;
        checkAndSet(expected, key.currentVersion, casRequired(key, engine));
        const [current] = change.versions(key.currentVersion - 1);
        if (current === undefined) return nothingToPatch;
        if (!isReadable(current, now)) {
          const version = { ...current, customMetadata: key.customMetadata };
          return { status: 404, data: new JsonText(versionWire(version)) };
        }
        const isSeen =
          seen.key?.id === key.id &&
          seen.version?.version === current.version &&
          seen.version.createdTime === current.createdTime;
        if (!isSeen || data === undefined) return undefined;
        return { status: 200, data: new JsonText(versionWire(change.addVersion(data))) };
      });
    };
    return inTurn(`${mount.id}/${path}`, currentAsker(), async () => {
      for (let count = 0; count < patchAttempts; count += 1) {
        const answer = await attempt();
        if (answer !== undefined) return answer;
      }
      throw new Refusal(
        503,
        [
          `Nothing was patched: others changed this secret during each of ${patchAttempts} attempts. Send the patch again.`,
        ],
        { 'Retry-After': '1' },
      );
    });
  };
}

/** Lists a folder: names of keys, and of folders with a trailing slash. `after` and `limit` select a part. */
function listKeys(list: ListKeys): Handler {
  return async (request, { path = '' }) => {
    const keys = await list(
      request.mount.id,
      path === '' ? '' : `${path}/`,
      listPart(request),
      request.giveWay,
    );
    return keys.length === 0 ? undefined : { data: { keys } };
  };
}

/** Deletes the values of versions permanently and keeps their metadata. */
function destroyVersions(kv: KvStore): Handler {
  return changeVersions(
    kv,
    (change, version) => {
      if (version.destroyed) return false;
      change.destroy(version.version);
      return true;
    },
    'no version number provided',
  );
}

/** Deletes versions, whose values stay in the store and can be undeleted. */
function deleteVersions(kv: KvStore): Handler {
  return changeVersions(kv, (change, version, now) => {
    if (!isReadable(version, now)) return false;
    change.setDeletionTime(version.version, now);
    return true;
  });
}

/** Deletes a key permanently, with its metadata and all versions. */
function deleteMetadata(kv: KvStore): Handler {
  return async ({ mount }, { path = '' }) => {
    await kv.remove(mount.id, path);
    return undefined;
  };
}

/** Deletes the current version, whose value stays in the store and can be undeleted. */
function deleteLatest(kv: KvStore): Handler {
  return async ({ mount, now }, { path = '' }) => {
    await kv.change(mount.id, path, now, (change) => {
      const { key } = change;
      const current = key === undefined ? undefined : change.version(key.currentVersion);
      if (current === undefined || !isReadable(current, now)) return;
      change.setDeletionTime(current.version, now);
      change.touch();
    });
    return undefined;
  };
}
