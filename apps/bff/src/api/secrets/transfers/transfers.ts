import type { Harm } from '@gatehouse/api-types/console/harm';
import { harmOfMove, harmOfOtherEngine } from '@gatehouse/api-types/console/harm-of';
import { sameJson, entriesOf, lastByKey } from '@gatehouse/api-types/console/json-text';
import type { NamedFields } from '@gatehouse/api-types/console/secret-names';
import type { TransferStep, ImportPreviewItem } from '@gatehouse/api-types/console/secret-transfers';
import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import type { Slices } from '@gatehouse/service-kit/slices';
import { mapInOrder } from '#api/concurrently.ts';
import { cannotTell, notReceived } from '#audit/became.ts';
import { pathsOf } from '#audit/wish.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { deleteMetadata, readMetadata, writeMetadata } from '#upstreams/secrets-server/metadata.ts';
import { idOf, type Place, policyPath } from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import { removed, setSettings, wrote } from '../changes-of-sequence.ts';
import { countComparison } from '../comparison-limit.ts';
import { checkEntries } from '../data-text.ts';
import { differences, named, noFields } from '../differences.ts';
import { keptByEngine } from '../engine.ts';
import { isBare, metadataRevision } from '../metadata.ts';
import { doStep, nothingWritten, runSequence, stepLine, type Sequence } from '../steps.ts';
import { atSecret, isReadable, orDenied, stateOf, whatFailed, readNewest } from '../stored-secret.ts';
import { planTransfer, type PlannedSecret } from '../transfer-plan.ts';
import { holding, isWritten, newestOf, writeSurely, type Written } from '../write-surely.ts';
import { exportSecrets } from './export-secrets.ts';
import { importSecrets } from './import-secrets.ts';

/** The number of secrets read concurrently. */
const atOnce = 8;

const previewSecretImport: Operation<'secretTransfers.previewImport'> = audited(
  { became: notReceived },
  async (context, call) => {
    const { mount } = call.params;
    const { entries } = call.body;
    await checkEntries(entries, call.slices);
    // A preview shows for each value whether it is the stored one.
    countComparison(context, call);
    const caller = await secretsCaller(context, call);
    const rights = await readCapabilities(
      caller,
      entries.map(({ path }) => policyPath('data', { mount, path })),
    );
    const look = ({ path, data }: (typeof entries)[number]) =>
      preview(caller, { mount, path }, data, rights, call.slices);
    return { items: await Array.fromAsync(mapInOrder(entries, look, atOnce)) };
  },
);

/**
 * Copies everything first and deletes the sources last, each while its copy is there. A failure before the first
 * deletion undoes everything. After that nothing is undone, because every value is at its source or its destination.
 */
const transferSecrets: Operation<'secretTransfers.transfer'> = audited(
  {
    address: ({ body }) => ({
      id: idOf(body.from),
      paths: [
        `to=${idOf(body.to)}`,
        ...pathsOf(body).filter((path) => path !== 'versions' && !path.startsWith('to.')),
      ],
    }),
    became: cannotTell,
    harm: 'by stored state',
  },
  async (context, call) => {
    const caller = await secretsCaller(context, call, true);
    const { body } = call;
    const planned = await planTransfer(caller, body);
    await call.guard.pass(await harmOfPlan(caller, body, planned));
    const isMove = body.mode === 'move';
    return runSequence(
      planned.length,
      call.note,
      async function* (sequence) {
        const copied: [PlannedSecret, Written][] = [];
        for (const secret of planned) {
          const last = yield* copy(caller, secret, sequence);
          if (last !== undefined) copied.push([secret, last]);
        }
        if (!isMove) return;
        for (const [secret, last] of copied) yield* remove(caller, secret, last, sequence);
      },
      ({ removed }) => removed > 0,
    );
  },
);

/** The state of a copy. */
interface Copy {
  /** The number of versions known to be written. */
  written: number;
  /** The last of these versions. */
  last: Written | undefined;
  /** The values of the next version, which may have been written. */
  sending: string | undefined;
  /** The source's, if its settings and custom metadata may have been written. */
  metadata: KeyMetadata | undefined;
}

export const secretTransferOperations = resource(inSecrets, {
  'secretTransfers.transfer': transferSecrets,
  'secretTransfers.export': exportSecrets,
  'secretTransfers.previewImport': previewSecretImport,
  'secretTransfers.import': importSecrets,
});

/** @returns the newest version of the copy; undefined if there is nothing to copy */
async function* copy(
  caller: SecretsCaller,
  secret: PlannedSecret,
  sequence: Sequence,
): AsyncGenerator<TransferStep, Written | undefined> {
  const { from, to, metadata, versions } = secret;
  if (versions.length === 0) {
    const detail = 'This secret stays where it is: none of the requested versions can be read.';
    yield stepLine({ action: 'read', place: from, detail }, 'skipped');
    return undefined;
  }
  const made: Copy = { written: 0, last: undefined, sending: undefined, metadata: undefined };
  sequence.undos.push({
    place: to,
    run: () => atSecret(caller, to, () => removeCopy(caller, to, made, sequence)),
  });
  if (metadata !== null && !isBare(metadata)) {
    const words = { action: 'settings', place: to } as const;
    const { max_versions, cas_required, delete_version_after, custom_metadata } = metadata;
    const settings = {
      max_versions,
      cas_required,
      delete_version_after,
      custom_metadata,
      ...(metadata.metadata_cas_required === true && { metadata_cas_required: true }),
    };
    // Nothing exists at the destination.
    made.metadata = metadata;
    await doStep(words, () => writeMetadata(caller, to, settings, 0));
    await sequence.did(setSettings(to, Object.keys(settings)));
    yield stepLine(words);
  }
  let data = '';
  for (const version of versions) {
    const reading = { action: 'read', place: from, version } as const;
    data = await doStep(reading, () => valuesOf(caller, from, version));
    const writing = { action: 'write', place: to, version: made.written + 1 } as const;
    made.sending = data;
    made.last = await doStep(writing, () =>
      atSecret(caller, to, () => writeSurely(caller, to, data, made.written)),
    );
    made.written += 1;
    made.sending = undefined;
    await sequence.did(wrote(to, made.written, data));
    yield stepLine(writing);
  }
  sequence.written += 1;
  const checking = { action: 'check', place: to, version: made.written } as const;
  await doStep(checking, () => checkCopy(caller, to, versions.length, data));
  yield stepLine({
    ...checking,
    ...(metadata !== null && { detail: leftBehind(metadata, versions, caller.now()) }),
  });
  return made.last;
}

async function valuesOf(caller: SecretsCaller, place: Place, version: number): Promise<string> {
  const read = await readVersion(caller, place, version);
  if (read?.text === undefined || read.text === null) {
    throw new ProblemError('conflict', 'This version was deleted after the transfer started.');
  }
  return read.text;
}

/** Checks that the stored values are those that were read, and that the destination keeps that many versions. */
async function checkCopy(caller: SecretsCaller, to: Place, count: number, data: string): Promise<void> {
  const [stored, metadata] = await Promise.all([
    orDenied(readVersion(caller, to, count)),
    orDenied(readMetadata(caller, to)),
  ]);
  if (
    stored !== 'denied' &&
    (stored?.text === undefined || stored.text === null || !sameJson(stored.text, data))
  ) {
    throw new ProblemError('conflict', 'The stored values differ from the written ones.');
  }
  if (metadata === 'denied' || metadata === null) {
    // If fewer versions are kept, the oldest is missing.
    const oldest = count === 1 ? 'denied' : await orDenied(readVersion(caller, to, 1));
    if (oldest !== 'denied' && (oldest?.text ?? null) === null) {
      throw new ProblemError('invalid-request', `The destination engine keeps fewer than ${count} versions.`);
    }
    return;
  }
  const kept = Object.keys(metadata.versions).length;
  if (kept < count) {
    throw new ProblemError(
      'invalid-request',
      `The destination engine keeps only ${kept} versions, not ${count}.`,
    );
  }
}

/** A move deletes the versions that the plan doesn't copy, and the destination's engine may keep fewer. */
async function harmOfPlan(
  caller: SecretsCaller,
  body: Parameters<typeof planTransfer>[1],
  [first]: readonly PlannedSecret[],
): Promise<Harm | undefined> {
  const { versions = {}, max_versions: own = 0 } = first?.metadata ?? {};
  const [from, to] =
    body.mode === 'copy' || body.from.mount === body.to.mount
      ? [0, 0]
      : await Promise.all([body.from, body.to].map(({ mount }) => keptByEngine(caller, mount)));
  return harmOfMove(
    body,
    Object.entries(versions).map(([version, stored]) => ({
      version: Number(version),
      state: stateOf(stored, caller.now()),
    })),
    harmOfOtherEngine(own, from ?? null, to ?? null),
  );
}

function leftBehind(
  { versions }: NonNullable<PlannedSecret['metadata']>,
  taken: readonly number[],
  now: number,
): string {
  const deleted = Object.entries(versions).filter(
    ([version, state]) => !taken.includes(Number(version)) && stateOf(state, now) === 'deleted',
  );
  const others = Object.keys(versions).length - taken.length;
  const count = taken.length === 1 ? '1 version was copied' : `${taken.length} versions were copied`;
  if (others === 0) return `${count}.`;
  return deleted.length === 0
    ? `${count}, ${others} ${others === 1 ? 'was' : 'were'} not.`
    : `${count}, ${others} ${others === 1 ? 'was' : 'were'} not, of which ${deleted.length} could still be undeleted.`;
}

/** Deletes a copy, unless someone else created it or has changed it since. */
async function removeCopy(
  caller: SecretsCaller,
  place: Place,
  { written, last, sending, metadata }: Copy,
  { did }: Sequence,
): Promise<string | undefined> {
  const stored = await orDenied(readMetadata(caller, place));
  if (stored === null) return nothingWritten;
  const newest = await newestOf(caller, place);
  const sent =
    newest === written + 1 && sending !== undefined
      ? await holding(caller, place, newest, sending)
      : undefined;
  // Someone else may have created it again.
  const isOurs = last === undefined || (await isWritten(caller, place, last));
  if (written === 0 && metadata === undefined && sent === undefined) return nothingWritten;
  if (newest === 0 && written > 0)
    throw new ProblemError(
      'conflict',
      "The copy can't be read, and someone else may have changed it, so it was left as it is.",
    );
  const isNewest = newest === written || sent !== undefined;
  if (!isOurs || !isNewest || !(stored === 'denied' || isAsWritten(stored, metadata))) {
    throw new ProblemError('conflict', 'The copy was changed after it was written, so it was left as it is.');
  }
  await removeSurely(caller, place, stored);
  await did(removed(place));
  return undefined;
}

function isAsWritten(stored: KeyMetadata, written: Copy['metadata']): boolean {
  return isBare(stored) || (written !== undefined && metadataRevision(stored) === metadataRevision(written));
}

/** @param known the metadata by which the deletion was decided */
async function removeSurely(
  caller: SecretsCaller,
  place: Place,
  known: KeyMetadata | 'denied' | null,
): Promise<void> {
  try {
    await deleteMetadata(caller, place);
  } catch (error) {
    if (whatFailed(error) !== 'unknown') throw error;
    const now = await orDenied(readMetadata(caller, place));
    if (now === null) return;
    // Someone else may have created the secret again since.
    if (!isSame(now, known)) throw error;
    await deleteMetadata(caller, place);
  }
}

/** @param last the newest version of its copy */
async function* remove(
  caller: SecretsCaller,
  { from, to, metadata }: PlannedSecret,
  last: Written,
  sequence: Sequence,
): AsyncGenerator<TransferStep> {
  const words = { action: 'remove', place: from } as const;
  await doStep(words, () =>
    atSecret(caller, from, async () => {
      await checkStillThere(caller, to, last);
      // Also compares what has no version number: settings, custom metadata, and deleted or undeleted versions.
      const now = await readMetadata(caller, from);
      if (!isSame(now, metadata)) {
        const why =
          now === null ? 'deleted during the move.' : "changed during the move, so it wasn't deleted.";
        throw new ProblemError('conflict', `This secret was ${why}`);
      }
      await removeSurely(caller, from, now);
    }),
  );
  await sequence.did(removed(from));
  sequence.removed += 1;
  yield stepLine(words);
}

/** @throws ProblemError `conflict` if a copy was deleted since. A copy that can't be read passes */
async function checkStillThere(caller: SecretsCaller, to: Place, last: Written): Promise<void> {
  const metadata = await orDenied(readMetadata(caller, to));
  const read = metadata === 'denied' ? await orDenied(readVersion(caller, to, last.version)) : undefined;
  if (read === 'denied') return;
  const stored = metadata === 'denied' ? read?.metadata : metadata?.versions[last.version];
  if (stored?.created_time === last.created_time && isReadable(stateOf(stored, caller.now()))) return;
  throw new ProblemError(
    'conflict',
    "The copy was deleted or replaced during the move, so this secret wasn't deleted.",
  );
}

function isSame(one: KeyMetadata | 'denied' | null, other: typeof one): boolean {
  return sameJson(JSON.stringify(one), JSON.stringify(other));
}

async function preview(
  caller: SecretsCaller,
  place: Place,
  data: string,
  rights: ReadonlyMap<string, ReadonlySet<string>> | null,
  slices: Slices,
): Promise<ImportPreviewItem> {
  const stored = await orDenied(readNewest(caller, place));
  const item: ImportPreviewItem = {
    path: place.path,
    change: 'unreadable',
    revision: null,
    added: noFields,
    changed: noFields,
    removed: noFields,
    detail: null,
  };
  const words = rights?.get(policyPath('data', place));
  const isNew = stored === null || (stored !== 'denied' && stored.version === 0);
  if (words !== undefined && !allows(words, isNew ? 'create' : 'update')) {
    return { ...item, change: 'denied', detail: "Your policies don't let you write this secret." };
  }
  if (stored === 'denied') {
    return {
      ...item,
      detail: "You can't read this secret, so you would overwrite values that you haven't seen.",
    };
  }
  if (isNew) return { ...item, change: 'create', revision: '0', added: fieldsOf(data) };
  const { revision } = stored;
  if (stored.state === 'deleted' || stored.state === 'destroyed') {
    return { ...item, change: 'deleted', revision, added: fieldsOf(data) };
  }
  if (stored.data === null) return { ...item, revision };
  await slices.giveWay();
  const { removed, changed, added } = await differences(stored.data, data, slices);
  const isSame = changed.length + added.length + removed.length === 0;
  return {
    ...item,
    change: isSame ? 'same' : 'change',
    revision,
    added: named(added),
    changed: named(changed),
    removed: named(removed),
  };
}

function fieldsOf(data: string): NamedFields {
  return named([...lastByKey(entriesOf(data)).keys()]);
}
