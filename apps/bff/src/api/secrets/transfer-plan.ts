/** Finds and checks everything that a move or copy affects, before anything is written. */
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import { transferLimit } from '@gatehouse/api-types/console/secret-transfers';
import type { ToldVersion } from '@gatehouse/api-types/console/secrets';
import type { BodyOf } from '@gatehouse/api-types/contract';
import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import { mapInOrder } from '#api/concurrently.ts';
import { conflict } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { checkVersioned, isPlain } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import { policyPath, type Place } from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { isBare } from './metadata.ts';
import { notThere } from './stored-secret.ts';
import { isReadable, orDenied, readNewestWithoutValues, secretResource, stateOf } from './stored-secret.ts';
import { secretsIn, walkFolders } from './walk-folders.ts';

type Wanted = BodyOf<Endpoints['secretTransfers']['transfer']>;

/** One secret of a transfer. */
export interface PlannedSecret {
  readonly from: Place;
  readonly to: Place;
  /** Null if the user can't read it or the engine has none, so that only the newest version can be copied. */
  readonly metadata: KeyMetadata | null;
  /** The versions to copy, oldest first; empty if there is nothing to copy. */
  readonly versions: readonly number[];
}

/** The number of secrets read concurrently. */
const atOnce = 8;

/**
 * Everything that a transfer will copy.
 * @throws ProblemError `not-found`, `conflict` if a destination exists or the secret was changed, `forbidden`
 */
export async function planTransfer(caller: SecretsCaller, wanted: Wanted): Promise<readonly PlannedSecret[]> {
  await checkVersioned(caller, wanted.to.mount);
  if (await isPlain(caller, wanted.from.mount)) {
    if (wanted.mode === 'move')
      throw new ProblemError(
        'invalid-request',
        "This engine isn't versioned (KV version 1), so the console can't move secrets out of it. Copy them instead.",
      );
  } else await checkVersioned(caller, wanted.from.mount);
  const pairs = wanted.kind === 'secret' ? [wanted] : await pairsBelow(caller, wanted);
  const planned = await Array.fromAsync(mapInOrder(pairs, (pair) => plan(caller, pair, wanted), atOnce));
  if (planned.every(({ versions }) => versions.length === 0)) {
    throw new ProblemError('invalid-request', 'No version can be moved or copied. Undelete one first.');
  }
  await checkSettable(caller, planned);
  if (wanted.mode === 'move') await checkRemovable(caller, planned);
  return planned;
}

/**
 * Whether a copy gets its settings before its first version: the server determines a version's time of deletion when the
 * version is written.
 */
export function settingsFirst(source: KeyMetadata): boolean {
  return source.delete_version_after !== '0s';
}

async function pairsBelow(
  caller: SecretsCaller,
  { from, to }: Wanted,
): Promise<{ readonly from: Place; readonly to: Place }[]> {
  const pairs: { from: Place; to: Place }[] = [];
  const progress = { foldersRead: 0, foldersWaiting: 0 };
  for await (const walked of walkFolders(caller, from.mount, from.path, progress)) {
    // A subfolder that can't be listed can't be copied, and would be left behind.
    if (walked.keys === null) {
      throw new ProblemError(
        'forbidden',
        `Your policies don't let you list "${walked.folder}", so the folder can't be moved or copied as a whole.`,
      );
    }
    for (const path of secretsIn(walked)) {
      const below = path.slice(from.path.length);
      pairs.push({ from: { mount: from.mount, path }, to: { mount: to.mount, path: `${to.path}${below}` } });
    }
    if (pairs.length > transferLimit) {
      throw new ProblemError(
        'invalid-request',
        `This folder has more than ${transferLimit} secrets. Move or copy smaller folders.`,
      );
    }
  }
  if (pairs.length === 0) throw notThere(caller);
  return pairs;
}

async function plan(
  caller: SecretsCaller,
  { from, to }: { readonly from: Place; readonly to: Place },
  wanted: Wanted,
): Promise<PlannedSecret> {
  const [metadata, there] = await Promise.all([
    orDenied(readMetadata(caller, from)),
    orDenied(readNewestWithoutValues(caller, to)),
  ]);
  if (there !== null && there !== 'denied') throw await taken(caller, to, there);
  const isWithout = await isPlain(caller, from.mount);
  if (metadata === 'denied' || isWithout) {
    const newest = await readNewestWithoutValues(caller, from);
    if (newest === null) throw notThere(caller);
    await checkSeen(caller, from, newest.version, wanted);
    if (!isWithout && (wanted.versions === 'all' || wanted.mode === 'move')) {
      throw new ProblemError(
        'forbidden',
        `Your policies don't let you list the versions of "${from.path}". Copy only the newest one.`,
      );
    }
    const versions = isReadable(newest.state) ? [newest.version] : [];
    return { from, to, metadata: null, versions };
  }
  if (metadata === null) throw notThere(caller);
  if (
    wanted.mode === 'move' &&
    !isBare(metadata) &&
    (await orDenied(readMetadata(caller, to))) === 'denied'
  ) {
    throw new ProblemError(
      'forbidden',
      `Your policies don't let you read the settings and custom metadata of "${to.path}", so those of "${from.path}" can't be moved. Copy it without them instead.`,
    );
  }
  const newest = metadata.current_version;
  await checkSeen(caller, from, newest, wanted);
  const readable = Object.entries(metadata.versions)
    .filter(([, version]) => isReadable(stateOf(version, caller.now())))
    .map(([version]) => Number(version))
    .sort((a, b) => a - b);
  const versions = wanted.versions === 'all' ? readable : readable.filter((version) => version === newest);
  return { from, to, metadata, versions };
}

async function checkSeen(
  caller: SecretsCaller,
  place: Place,
  newest: number,
  { kind, revision }: Wanted,
): Promise<void> {
  if (kind !== 'secret' || revision === undefined || revision === String(newest)) return;
  throw await conflict<ToldVersion>(
    {
      resource: secretResource(caller, place),
      expected: revision,
      revisionOf: (stored) => stored.revision,
      changedAt: ({ created_time }) => created_time,
    },
    await readNewestWithoutValues(caller, place),
  );
}

function taken(caller: SecretsCaller, to: Place, there: ToldVersion): Promise<ProblemError> {
  return conflict<ToldVersion>(
    {
      resource: secretResource(caller, to),
      expected: '0',
      creates: true,
      revisionOf: ({ revision }) => revision,
      changedAt: ({ created_time }) => created_time,
    },
    there,
  );
}

/** Refuses a transfer before it copies anything if it couldn't write the settings of its copies. */
async function checkSettable(caller: SecretsCaller, planned: readonly PlannedSecret[]): Promise<void> {
  const wanted = planned.flatMap(({ to, metadata, versions }) =>
    metadata === null || isBare(metadata) || versions.length === 0
      ? []
      : [{ path: policyPath('metadata', to), word: settingsFirst(metadata) ? 'create' : 'update' }],
  );
  if (wanted.length === 0) return;
  const found = await readCapabilities(
    caller,
    wanted.map(({ path }) => path),
  );
  if (wanted.every(({ path, word }) => found?.has(path) !== true || allows(found.get(path), word))) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'forbidden',
    "Your policies don't let you write all settings and custom metadata at the new path.",
    { environment, service },
  );
}

/** Refuses a move before it copies anything if it couldn't delete its sources. */
async function checkRemovable(caller: SecretsCaller, planned: readonly PlannedSecret[]): Promise<void> {
  const paths = planned.map(({ from }) => policyPath('metadata', from));
  const found = await readCapabilities(caller, paths);
  if (paths.every((path) => found?.has(path) !== true || allows(found.get(path), 'delete'))) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'forbidden',
    "Your policies don't let you delete everything that would be moved. Copy it instead.",
    { environment, service },
  );
}
