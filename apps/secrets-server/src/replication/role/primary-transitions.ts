import { randomBytes, randomUUID } from 'node:crypto';
import { badRequest } from '../../core/refusal.ts';
import { createIdentity } from '../link/certificates.ts';
import type { TransitionParts } from './parts.ts';
import { checkPromotion, confirmPromotion, excludesAny, refuseIncomplete } from './promotion.ts';
import { disabled } from './role.ts';
import type { PrimaryRole, Role, SecondaryRole, ServingRole } from './role.ts';

/** The length of the digest key in bytes. */
const digestKeyBytes = 32;

/**
 * Makes a cluster without replication a primary.
 * @param clusterAddress for secondaries; empty for the address it listens on
 */
export async function enablePrimary(
  parts: TransitionParts,
  clusterAddress: string,
): Promise<readonly string[]> {
  const { runtime, store } = parts;
  const { role } = runtime;
  if (role.mode === 'primary') throw badRequest('this cluster is already a primary');
  if (role.mode === 'secondary')
    throw badRequest('this cluster is a secondary. Promote it instead of enabling it as a primary.');
  const clusterId = randomUUID();
  const next: PrimaryRole = {
    mode: 'primary',
    clusterId,
    identity: await createIdentity(clusterId),
    digestKey: randomBytes(digestKeyBytes).toString('base64'),
    clusterAddress,
    port: 0,
  };
  await runtime.take(next, (tx) => store.beginEpochIn(tx, true));
  return [
    `This cluster was enabled as a primary. Secondaries reach it at ${runtime.clusterAddress()} once they have an activation token.`,
  ];
}

/** Makes a primary a secondary without a primary. Its entries are kept for its secondaries. */
export async function demotePrimary({ runtime, secondaries }: TransitionParts): Promise<readonly string[]> {
  const { clusterId, digestKey, identity, clusterAddress, port } = asPrimary(runtime.role);
  // Of an earlier demotion.
  await secondaries.forgetSuccessor();
  await runtime.demote({
    mode: 'secondary',
    clusterId,
    digestKey,
    primaryApiAddress: '',
    filterHash: '',
    demoted: { identity, clusterAddress, port },
  });
  return [
    "This cluster was demoted to a secondary without a primary. It accepts no writes; its secondaries can fetch what they lack. Promote one of them, then set this cluster's new primary with secondary/update-primary.",
  ];
}

/** Disables replication on a primary, which keeps its data. */
export async function disablePrimary(parts: TransitionParts): Promise<readonly string[]> {
  asPrimary(parts.runtime.role);
  await forgetReplication(parts);
  return [
    'Replication was disabled on this primary. Its secondaries can no longer connect. If it is enabled again, it gets a new cluster ID, and secondaries that connect to it are cleared first.',
  ];
}

/** Disables replication on a secondary, which keeps its data. */
export async function disableSecondary(parts: TransitionParts): Promise<readonly string[]> {
  asSecondary(parts.runtime.role);
  await forgetReplication(parts);
  return [
    'Replication was disabled on this secondary. It no longer connects to a primary, and keeps its data. If it is enabled as a secondary again, its data is cleared first.',
  ];
}

/** Makes a secondary the primary. @param force skips the checks that prevent lost writes */
export async function promoteSecondary(
  parts: TransitionParts,
  { clusterAddress, force }: { readonly clusterAddress: string; readonly force: boolean },
): Promise<readonly string[]> {
  const { runtime, store, secondaries } = parts;
  asSecondary(runtime.role);
  await parts.noteHeard();
  const warnings = force ? [] : await checkPromotion(asSecondary(runtime.role), parts);
  let demoted = false;
  let fresh = false;
  await runtime.whileStopped(async () => {
    // Reads the role again, since nothing can arrive any more.
    const before = asSecondary(runtime.role);
    demoted = before.demoted !== undefined;
    fresh = !store.whole() || excludesAny(before.filter);
    if (fresh && !force) refuseIncomplete(before, store);
    const serves: ServingRole = before.demoted ?? {
      identity: await createIdentity(before.clusterId),
      clusterAddress: '',
      port: 0,
    };
    // A warning means that the primary did not answer.
    if (!force && !demoted && warnings.length === 0) await confirmPromotion(before, parts);
    const next: PrimaryRole = {
      mode: 'primary',
      clusterId: before.clusterId,
      digestKey: before.digestKey,
      ...serves,
      ...(clusterAddress !== '' && { clusterAddress }),
    };
    // The irreversible changes are made in one transaction, after the cluster port is open.
    await runtime.take(next, (tx) => {
      // The new authority does not accept earlier certificates.
      if (!demoted) secondaries.removeAll(tx);
      store.beginEpochIn(tx, fresh);
    });
  });
  secondaries.forget();
  return [
    `This cluster was promoted to a primary. Other secondaries, and the former primary, follow it once they have one of its activation tokens (secondary/update-primary).${demoted ? '' : ' Paths filters are not copied. Create them before the tokens.'}`,
    ...warnings,
    ...(fresh
      ? ["It begins a new history because it didn't have all records. Its secondaries receive all of them."]
      : []),
  ];
}

async function forgetReplication({ runtime, store, records, secondaries }: TransitionParts): Promise<void> {
  await runtime.whileStopped(() =>
    runtime.take(disabled, (tx) => {
      store.forgetHistory(tx);
      records.clear(tx);
    }),
  );
  secondaries.forget();
}

/** @throws Refusal 400 if the cluster is no primary */
export function asPrimary(role: Role): PrimaryRole {
  if (role.mode === 'primary') return role;
  throw badRequest(
    role.mode === 'secondary'
      ? 'this cluster is a secondary, and only a primary can do this'
      : 'replication is disabled on this cluster. Enable it as a primary first.',
  );
}

/** @throws Refusal 400 if the cluster is no secondary */
export function asSecondary(role: Role): SecondaryRole {
  if (role.mode === 'secondary') return role;
  throw badRequest(
    role.mode === 'primary'
      ? 'this cluster is a primary. Demote it first.'
      : 'replication is disabled on this cluster. Enable it as a secondary first.',
  );
}
