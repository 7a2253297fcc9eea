import { randomUUID } from 'node:crypto';
import { badRequest } from '../../core/refusal.ts';
import type { Redeemed, Redemption } from '../activation/activation.ts';
import type { Patience } from '../link/patience.ts';
import { ping } from '../link/ping.ts';
import type { SecondaryCredentials } from '../link/types.ts';
import type { TransitionParts } from './parts.ts';
import { asSecondary } from './primary-transitions.ts';

/** Makes a cluster without replication a secondary, and clears its data. */
export async function enableSecondary(
  parts: TransitionParts,
  redemption: Redemption,
): Promise<readonly string[]> {
  const { runtime, store, activations, local } = parts;
  const { role } = runtime;
  if (role.mode === 'primary')
    throw badRequest('this cluster is a primary. Disable it, or demote it and use secondary/update-primary');
  if (role.mode === 'secondary')
    throw badRequest(
      'this cluster is already a secondary. Use secondary/update-primary to change its primary.',
    );
  if (redemption.token === '') throw badRequest('missing token');
  const patience = parts.patience();
  const { credentials, apiAddress } = await reachable(
    await activations.redeem(redemption, patience),
    patience,
  );
  const left = await local.endLeases();
  await store.clear();
  await local.afterClearing();
  await runtime.take({
    mode: 'secondary',
    clusterId: randomUUID(),
    digestKey: credentials.digestKey,
    credentials,
    primaryApiAddress: apiAddress,
    filterHash: '',
  });
  return [
    "This cluster was enabled as a secondary. Its data and tokens were cleared, and it now receives its primary's data.",
    ...(left === 0
      ? []
      : [
          `${left === 1 ? '1 lease' : `${left} leases`} could not be revoked before that. The issued credentials stay at their provider.`,
        ]),
  ];
}

/** An update of a secondary's primary. */
export interface PrimaryUpdate extends Omit<Redemption, 'token'> {
  /** Undefined if not given; empty to forget the primary. */
  readonly token: string | undefined;
  /** Cluster addresses of the current primary. */
  readonly addresses: readonly string[];
}

/** Sets a secondary's primary or the address of its current primary, or removes its primary. Its data stays. */
export async function updatePrimary(
  parts: TransitionParts,
  update: PrimaryUpdate,
): Promise<readonly string[]> {
  const { runtime } = parts;
  const role = asSecondary(runtime.role);
  const { token, addresses } = update;
  if ((token ?? '') !== '' && addresses.length > 0)
    throw badRequest('token and update_primary_addrs cannot be used together');
  if (addresses.length > 0) return updateAddresses(parts, role.credentials, addresses);
  if (token === undefined)
    throw badRequest('missing token. Use an activation token, or an empty one to forget the primary.');
  await parts.noteHeard();
  if (token === '') {
    await runtime.whileStopped(() => {
      const { credentials: _, ...rest } = asSecondary(runtime.role);
      return runtime.take({ ...rest, primaryApiAddress: '' });
    });
    return [
      'This cluster stays a secondary and forgets its primary: it no longer connects to it. Its data stays.',
    ];
  }
  const patience = parts.patience();
  const redeemed = await parts.activations.redeem({ ...update, token }, patience);
  const { credentials, apiAddress } = await reachable(redeemed, patience);
  if (credentials.primaryClusterId === role.clusterId) throw badRequest('a cluster cannot follow itself');
  await runtime.whileStopped(() => {
    const { demoted: _, heard: __, ...rest } = asSecondary(runtime.role);
    const { digestKey } = credentials;
    return runtime.take({ ...rest, credentials, digestKey, primaryApiAddress: apiAddress });
  });
  return [
    "This cluster's primary was changed. Its data becomes the new primary's; writes that the new primary never had are kept as lost writes, except those that a paths filter excludes here.",
  ];
}

async function updateAddresses(
  { runtime, patience }: TransitionParts,
  credentials: SecondaryCredentials | undefined,
  addresses: readonly string[],
): Promise<readonly string[]> {
  if (credentials === undefined)
    throw badRequest(
      'this cluster has no primary whose addresses could be updated. Use an activation token.',
    );
  const { answer } = await ping(credentials, addresses, patience());
  if (answer === undefined)
    throw badRequest(
      `none of ${addresses.join(', ')} answered as this cluster's primary. Nothing was changed.`,
    );
  await runtime.whileStopped(() =>
    runtime.take({
      ...asSecondary(runtime.role),
      credentials: { ...credentials, addresses: [answer.address] },
    }),
  );
  return [`This cluster's primary is now at ${answer.address}.`];
}

/** Refuses an activation whose primary can't be reached, before any change is made. */
async function reachable(redeemed: Redeemed, patience: Patience): Promise<Redeemed> {
  const { credentials } = redeemed;
  const { answer, deniedAt } = await ping(credentials, credentials.addresses, patience);
  if (answer !== undefined) return redeemed;
  if (deniedAt !== undefined)
    throw badRequest(
      `the primary at ${deniedAt} refused the activation token: it was revoked there, has expired, or was used by another cluster. Nothing was changed here.`,
    );
  throw badRequest(
    `the primary doesn't respond at its cluster address ${credentials.addresses.join(', ')}. Nothing was changed here. ` +
      'The token is used up; create another one when the address can be reached.',
  );
}
