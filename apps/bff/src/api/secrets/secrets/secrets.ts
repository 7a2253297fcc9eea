import { entriesOf, objectText, mergePatch } from '@gatehouse/api-types/console/json-text';
import { dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import type { WrittenVersion, Secret, ToldVersion } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import type { VersionMetadata } from '@gatehouse/api-types/services/secrets-server';
import { hasMoreMembers } from '@gatehouse/service-kit/json-scan';
import { notReceived, type Became } from '#audit/became.ts';
import { fieldPaths, namesIn, type Wish } from '#audit/wish.ts';
import { outcomeUnknown, conflict } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { engineAt } from '#upstreams/secrets-server/check-engine.ts';
import { type SecretsCaller, isAnswer } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import { idOf, type Place } from '#upstreams/secrets-server/place.ts';
import {
  writeVersion,
  readVersion,
  patchVersion,
  changeVersions,
  deleteNewest,
} from '#upstreams/secrets-server/versions.ts';
import { atPlace, written } from '../became.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import { capabilitiesOf, capabilitiesIn } from '../capabilities.ts';
import { checkData } from '../data-text.ts';
import {
  atSecret,
  hasData,
  holdsSent,
  versionOfRevision,
  notThere,
  orDenied,
  readNewestWithoutValues,
  secretVersionOf,
  secretResource,
  whatFailed,
  isReadable,
  readNames,
  readState,
  stateOf,
  versionFields,
  isGone,
} from '../stored-secret.ts';
import { writeGuarded, dataOf, noteChanges, readSeen, writtenAs } from '../write-secret.ts';
import { holding } from '../write-surely.ts';
import { compareEnvironments } from './compare-environments.ts';
import { compareSecret } from './compare-secret.ts';
import { deleteSecretForever } from './delete-secret-forever.ts';

const createSecret: Operation<'secrets.create'> = audited(
  { address: ({ body }) => ({ paths: fieldPaths(namesIn(body.data)) }), became: atPlace(written) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { data, again = false } = call.body;
    checkData(data);
    const caller = await secretsCaller(context, call);
    const seen = again ? await deletedVersion(caller, place) : 0;
    return writeGuarded({
      caller,
      place,
      seen,
      send: () => writeVersion(caller, place, data, seen),
      equalsSent: holdsSent(seen, data),
    });
  },
);

/**
 * The server deletes whichever version is newest. The newest version is therefore read before and after, and a version
 * that was written since and deleted instead is undeleted.
 */
const deleteSecret: Operation<'secrets.delete'> = audited(
  { became: atPlace(isDeleted) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const seen = versionOfRevision(call.revision);
    const caller = await secretsCaller(context, call);
    const resource = secretResource(caller, place);
    const changed = (current: ToldVersion) =>
      conflict<ToldVersion>(
        {
          resource,
          expected: call.revision,
          revisionOf: ({ revision }) => revision,
          changedAt: ({ created_time }) => created_time,
        },
        current,
      );

    await atSecret(caller, place, async () => {
      const before = await readNewestWithoutValues(caller, place);
      if (before === null) throw notThere(caller);
      if (before.version !== seen) throw await changed(before);
      if (isGone(before)) return;
      for (let attempt = 1; ; attempt++) {
        let failure: unknown;
        try {
          await deleteNewest(caller, place);
        } catch (error) {
          if (whatFailed(error) !== 'unknown') throw error;
          failure = error;
        }
        const after = await readNewestWithoutValues(caller, place).catch((error: unknown) => {
          throw outcomeUnknown({ resource }, failure ?? error);
        });
        // Someone deleted the whole secret in the meantime, so nothing is left to delete.
        if (after === null) return;
        if (after.version !== seen) {
          if (after.state === 'deleted') await changeVersions(caller, 'undelete', place, [after.version]);
          throw await changed(
            after.state === 'deleted' ? { ...after, state: 'readable', deletion_time: '' } : after,
          );
        }
        if (isGone(after)) return;
        // Still unchanged, so the deletion is repeated.
        if (attempt > 1) throw outcomeUnknown({ resource }, failure);
      }
    });
  },
);

const getSecretCapabilities: Operation<'secrets.getCapabilities'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  return { may: await capabilitiesIn(caller, { mount, path: call.query.path ?? '' }) };
};

const getSecret: Operation<'secrets.get'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const caller = await secretsCaller(context, call);
  const [engine, may, found] = await Promise.all([
    engineAt(caller, mount),
    capabilitiesOf(caller, place),
    describe(caller, place, call.query.version, context.clock.now()),
  ]);
  // Users who can patch fields by name can do so without seeing any.
  if (found === null && !(may?.patch === true && call.query.version === undefined)) throw notReadable(caller);
  const described = found ?? { revision: unknownRevision, version: null };
  if (described.version !== null && call.query.version === undefined)
    context.secretDates.note(call.params.environment, place, described.version.custom_metadata);
  return { mount, path, versioned: engine.kind !== 'plain', may, ...described };
};

const patchSecret: Operation<'secrets.patch'> = audited(
  { address: ({ body }) => ({ paths: fieldPaths(namesIn(body.data)) }), became: atPlace(written) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { data: patch, readable: isReadable = false } = call.body;
    checkData(patch);
    if (call.revision === unknownRevision) {
      const caller = await secretsCaller(context, call);
      return atSecret(caller, place, () => patchUnseen(caller, place, patch));
    }
    const seen = versionOfRevision(call.revision);
    if (seen === 0) throw notPatchable('This secret has no version to patch yet. Create the first version.');
    const caller = await secretsCaller(context, call);
    try {
      const known = await readSeen({ caller, place, seen }, isReadable);
      const readBefore = async () => known ?? dataOf(caller, place, seen);
      const stored = await writeGuarded({
        caller,
        place,
        seen,
        send: () => patchOrReplace(caller, place, patch, seen, readBefore),
        equalsSent: async ({ version, data }, mayBeDone) => {
          if (version !== seen + 1 || data === null) return false;
          const before = await readBefore();
          return before !== null && hasData(data, mergePatch(before, patch), mayBeDone);
        },
      });
      await noteChanges(call, known, (before) => mergePatch(before, patch));
      return stored;
    } catch (error) {
      // A 404 here means that the version is current, but has no values to patch.
      if (isAnswer(error, 404)) throw await nothingToPatch(caller, place);
      throw error;
    }
  },
);

const restoreSecret: Operation<'secrets.restore'> = audited(
  {
    address: ({ body }) => ({ paths: [`version=${body.version}`] }),
    became: atPlace(isRestored),
  },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const seen = versionOfRevision(call.revision);
    const { version } = call.body;
    const caller = await secretsCaller(context, call);
    const older = await readVersion(caller, place, version);
    if (older === null) throw notThere(caller, version);
    const { text } = older;
    if (text === null) {
      throw new ProblemError(
        'invalid-request',
        older.metadata.destroyed
          ? `Version ${version} was destroyed: its values can't be recovered.`
          : `Version ${version} is deleted: undelete it first.`,
      );
    }
    return writeGuarded({
      caller,
      place,
      seen,
      send: () => writeVersion(caller, place, text, seen),
      equalsSent: holdsSent(seen, text),
    });
  },
);

const revealSecret: Operation<'secrets.reveal'> = audited(
  {
    address: ({ body: { version, fields } }) => ({
      paths: [
        ...(version === undefined ? [] : [`version=${version}`]),
        ...(fields === undefined ? [] : fieldPaths(fields)),
      ],
    }),
    became: notReceived,
  },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { version, fields } = call.body;
    const caller = await secretsCaller(context, call);
    const read = await readVersion(caller, place, version);
    if (read === null) throw notThere(caller, version);
    const wanted = { ...read, text: fieldsOf(read.text, fields) };
    if (version === undefined) return secretVersionOf(place, wanted);
    const newest = await orDenied(readNewestWithoutValues(caller, place));
    return secretVersionOf(
      place,
      wanted,
      newest === 'denied' || newest === null ? read.metadata.version : newest.version,
    );
  },
);

const updateSecret: Operation<'secrets.update'> = audited(
  { address: ({ body }) => ({ paths: fieldPaths(namesIn(body.data)) }), became: atPlace(written) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { data, readable: isReadable = false } = call.body;
    const seen = versionOfRevision(call.revision);
    checkData(data);
    const caller = await secretsCaller(context, call);
    const before = await readSeen({ caller, place, seen }, isReadable);
    const stored = await writeGuarded({
      caller,
      place,
      seen,
      send: () => writeVersion(caller, place, data, seen),
      equalsSent: holdsSent(seen, data),
    });
    await noteChanges(call, before, () => data);
    return stored;
  },
);

export const secretOperations = resource(inSecrets, {
  'secrets.getCapabilities': getSecretCapabilities,
  'secrets.get': getSecret,
  'secrets.reveal': revealSecret,
  'secrets.create': createSecret,
  'secrets.update': updateSecret,
  'secrets.patch': patchSecret,
  'secrets.restore': restoreSecret,
  'secrets.delete': deleteSecret,
  'secrets.deleteForever': deleteSecretForever,
  'secrets.compare': compareSecret,
  'secrets.compareEnvironments': compareEnvironments,
});

/** Only the fields with these names, each exactly as stored. */
function fieldsOf(data: string | null, names: readonly string[] | undefined): string | null {
  if (data === null || names === undefined) return data;
  const wanted = new Set(names);
  return objectText(entriesOf(data).filter(({ key }) => wanted.has(key)));
}

/** The outcome of a restore can be found out, because the older version's values are still stored. */
async function isRestored(caller: SecretsCaller, place: Place, wish: Wish): Promise<Became> {
  const became = await written(caller, place, wish);
  const { version } = wish.body;
  if (became.outcome !== 'unknown' || typeof version !== 'number') return became;
  const restored = await dataOf(caller, place, version);
  const next = Number(wish.revision) + 1;
  const found = restored === null ? undefined : await holding(caller, place, next, restored);
  return found !== undefined && found !== 'denied'
    ? { outcome: 'succeeded', stored: { id: idOf(place), revision: String(next) } }
    : became;
}

/**
 * Patches a version. If the server has no patches, or the user may not patch but may read and replace, the console
 * reads the version and writes it patched; the values don't reach the page.
 */
async function patchOrReplace(
  caller: SecretsCaller,
  place: Place,
  patch: string,
  seen: number,
  readBefore: () => Promise<string | null>,
): Promise<VersionMetadata> {
  try {
    return await patchVersion(caller, place, patch, seen);
  } catch (error) {
    if (!isAnswer(error, 403) && !isAnswer(error, 405)) throw error;
    const before = await orDenied(readBefore());
    if (before === 'denied') throw error;
    if (before === null) throw await nothingToPatch(caller, place);
    const patched = mergePatch(before, patch);
    // Counts values below the outermost.
    if (hasMoreMembers(patched, dataValuesLimit - 1)) {
      throw new ProblemError(
        'payload-too-large',
        `With these changes, the secret would have more than ${dataValuesLimit.toLocaleString('en')} values. Remove some fields, or split it into several secrets.`,
      );
    }
    return writeVersion(caller, place, patched, seen);
  }
}

/** Patches a secret without check-and-set, for callers who may not read its version. */
async function patchUnseen(caller: SecretsCaller, place: Place, patch: string): Promise<WrittenVersion> {
  const newest = await orDenied(readNewestWithoutValues(caller, place));
  if (newest === null) throw notThere(caller);
  if (newest !== 'denied') {
    throw notPatchable("You can read this secret's version, so send it in If-Match.");
  }
  try {
    return writtenAs(place, await patchVersion(caller, place, patch));
  } catch (error) {
    if (isAnswer(error, 404)) throw await nothingToPatch(caller, place);
    // Repeating the patch could overwrite what someone else wrote since.
    if (whatFailed(error) === 'unknown') {
      throw outcomeUnknown({ resource: secretResource(caller, place) }, error);
    }
    throw error;
  }
}

/** Why a secret without readable values can't be patched, as far as the caller may know. */
async function nothingToPatch(caller: SecretsCaller, place: Place): Promise<ProblemError> {
  const newest = await orDenied(readNewestWithoutValues(caller, place));
  if (newest === null) return notThere(caller);
  return notPatchable(
    newest === 'denied'
      ? 'No secret exists at this path, or its newest version is deleted.'
      : 'The newest version is deleted. Undelete it, or write a complete new version.',
  );
}

function notPatchable(detail: string): ProblemError {
  return new ProblemError('invalid-request', detail);
}

/**
 * @returns null if the caller may read nothing about the secret, not even whether it exists
 * @throws ProblemError `not-found`, or `forbidden` if the caller may read only metadata and there is none
 */
async function describe(
  caller: SecretsCaller,
  place: Place,
  version: number | undefined,
  now: number,
  isAgain = false,
): Promise<Pick<Secret, 'revision' | 'version'> | null> {
  const newest = await readNames(caller, place);
  const isAnother = version !== undefined && newest !== 'denied' && newest?.metadata.version !== version;
  const wanted = isAnother ? await readNames(caller, place, version) : newest;
  if (wanted !== 'denied' && wanted !== null) {
    const {
      mount: _mount,
      path: _path,
      ...fields
    } = versionFields(place, wanted.metadata, readState(wanted));
    const revision =
      newest === 'denied' || newest === null ? wanted.metadata.version : newest.metadata.version;
    return { revision: String(revision), version: { ...fields, structure: wanted.text } };
  }
  const metadata = await orDenied(readMetadata(caller, place));
  if (metadata === 'denied') {
    if (wanted === 'denied' || newest !== null) return null;
    throw notThere(caller, version);
  }
  if (metadata === null) throw wanted === 'denied' ? notReadable(caller) : notThere(caller, version);
  const number = version ?? metadata.current_version;
  const told = metadata.versions[String(number)];
  if (told === undefined && version !== undefined) throw notThere(caller, version);
  // The field names were missing, but the version is readable: it has been written since.
  if (wanted === null && !isAgain && told !== undefined && isReadable(stateOf(told, now))) {
    return describe(caller, place, version, now, true);
  }
  return {
    revision: String(metadata.current_version),
    version:
      told === undefined
        ? null
        : {
            version: number,
            state: stateOf(told, now),
            created_time: told.created_time,
            deletion_time: told.deletion_time,
            custom_metadata: metadata.custom_metadata,
            structure: null,
          },
  };
}

function notReadable({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError(
    'forbidden',
    "Your policies on the secrets server don't let you read any part of this secret.",
    { environment, service },
  );
}

async function isDeleted(caller: SecretsCaller, place: Place, { revision }: Wish): Promise<Became> {
  const newest = await readNewestWithoutValues(caller, place);
  if (newest === null || newest.revision !== revision) return { outcome: 'unknown' };
  return { outcome: isGone(newest) ? 'succeeded' : 'failed' };
}

/** The version on which a deleted secret is written again; 0 if it isn't deleted, or no longer exists. */
async function deletedVersion(caller: SecretsCaller, place: Place): Promise<number> {
  const newest = await orDenied(readNewestWithoutValues(caller, place));
  return newest !== null && newest !== 'denied' && isGone(newest) ? newest.version : 0;
}
