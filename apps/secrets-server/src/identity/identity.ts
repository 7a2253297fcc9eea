import type { AccountStore } from '@gatehouse/service-kit/accounts';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { wrappingTokenOf } from '../replication/activation/wrapping-token.ts';
import type { Barrier } from '../store/barrier.ts';
import type { SecretsStore } from '../store/database.ts';
import { leaseStore } from '../store/leases.ts';
import { namespaceStore } from '../store/namespaces.ts';
import { policyStore } from '../store/policies.ts';
import { tokenStore } from '../store/tokens.ts';
import { wrappingStore } from '../store/wrappings.ts';
import type { WrappingStore } from '../store/wrappings.ts';
import { aclsOf } from './acls.ts';
import { tokenAuthorizer } from './authorizer.ts';
import { leasesOf } from './leases.ts';
import type { Retry } from './retry.ts';

/** Who may do what, and for how long: what the operations on tokens, policies and leases share. */
export type Identity = Awaited<ReturnType<typeof openIdentity>>;

/** What `openIdentity` needs. */
export interface IdentityOptions {
  readonly store: SecretsStore;
  readonly barrier: Barrier;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly log: Log;
  /** When leases that could not be taken back are tried again. */
  readonly leaseRetry?: Retry;
  /** How often expired tokens and leases are looked for, in milliseconds. They are refused as soon as they expire, swept or not. */
  readonly sweepInterval?: number;
}

/** Opens what the store holds of tokens, policies, leases and namespaces, with the policies that exist from the start. */
export async function openIdentity(options: IdentityOptions) {
  const { store, barrier, accounts, clock, log, leaseRetry, sweepInterval = 1000 } = options;
  const policies = policyStore(store, barrier);
  await policies.ensureInitial('');
  const keptLeases = leaseStore(store, barrier);
  const leases = leasesOf(keptLeases, log, leaseRetry);
  const tokens = tokenStore(store, barrier, accounts, keptLeases);
  const kept = wrappingStore(store, barrier);
  // An activation token of replication is presented as it is; the wrapping token is within.
  const wrappings: WrappingStore = {
    ...kept,
    find: (text, now) => kept.find(wrappingTokenOf(barrier, text), now),
  };
  const acls = aclsOf(policies);

  const clear = oneAtATime(async () => {
    const now = clock.now();
    await tokens.sweep(now);
    await wrappings.sweep(now);
  });
  // Apart, because it waits for whoever the leases are of; each by itself, because only one of them may keep it waiting.
  const takingBack = new Set<Promise<void>>();
  const takeBack = async (): Promise<void> => {
    const taken = leases.sweep(clock.now());
    takingBack.add(taken);
    await taken.finally(() => takingBack.delete(taken));
  };
  const sweep = async (): Promise<void> => {
    if (barrier.sealed) return;
    await clear.run();
    if (!barrier.sealed) await takeBack();
  };
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.warn('expired records not deleted', { error }));
  }, sweepInterval);
  timer.unref();
  const stopListening = accounts.onChange(({ account, changed }) => {
    if (changed === 'created' || changed === 'profile' || barrier.sealed) return;
    // Such tokens are void already; this only clears them away, with what they were given.
    tokens
      .clearVoid(account.id, clock.now())
      .catch((error: unknown) => log.warn('expired tokens not deleted', { error }));
  });

  return {
    accounts,
    tokens,
    policies,
    acls,
    namespaces: namespaceStore(store),
    leases,
    leaseStore: keptLeases,
    wrappings,
    authorizer: tokenAuthorizer(tokens, wrappings, acls),
    /** Removes what has expired; nothing while sealed. */
    sweep,
    async close(): Promise<void> {
      clearInterval(timer);
      stopListening();
      await Promise.allSettled([clear.running(), ...takingBack]);
    },
  };
}

/** Work that is waited for, rather than begun again, while it is under way. */
function oneAtATime(work: () => Promise<void>): {
  readonly run: () => Promise<void>;
  readonly running: () => Promise<void> | undefined;
} {
  let running: Promise<void> | undefined;
  return {
    run() {
      running ??= work().finally(() => {
        running = undefined;
      });
      return running;
    },
    running: () => running,
  };
}
