import type { Harm } from '@gatehouse/api-types/console/harm';
import { harmOfMove, harmOfOtherEngine } from '@gatehouse/api-types/console/harm-of';
import { entriesOf, lastByKey } from '@gatehouse/api-types/console/json-text';
import type { NamedFields } from '@gatehouse/api-types/console/secret-names';
import type { TransferStep, ImportPreviewItem } from '@gatehouse/api-types/console/secret-transfers';
import type { Slices } from '@gatehouse/service-kit/slices';
import { mapInOrder } from '#api/concurrently.ts';
import { cannotTell, notReceived } from '#audit/became.ts';
import { pathsOf } from '#audit/wish.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import { idOf, type Place, policyPath } from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { readVersion } from '#upstreams/secrets-server/versions.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import { removed } from '../changes-of-sequence.ts';
import { countComparison } from '../comparison-limit.ts';
import { checkEntries } from '../data-text.ts';
import { differences, named, noFields } from '../differences.ts';
import { keptByEngine } from '../engine.ts';
import { doStep, runSequence, stepLine, type Sequence } from '../steps.ts';
import { atSecret, isReadable, orDenied, stateOf, readNewest } from '../stored-secret.ts';
import { planTransfer, type PlannedSecret } from '../transfer-plan.ts';
import type { Written } from '../write-surely.ts';
import { copySecret, isSame, removeSurely } from './copy-secret.ts';
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
          const last = yield* copySecret(caller, secret, isMove, sequence);
          if (last !== undefined) copied.push([secret, last]);
        }
        if (!isMove) return;
        for (const [secret, last] of copied) yield* remove(caller, secret, last, sequence);
      },
      ({ removed }) => removed > 0,
    );
  },
);

export const secretTransferOperations = resource(inSecrets, {
  'secretTransfers.transfer': transferSecrets,
  'secretTransfers.export': exportSecrets,
  'secretTransfers.previewImport': previewSecretImport,
  'secretTransfers.import': importSecrets,
});

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
