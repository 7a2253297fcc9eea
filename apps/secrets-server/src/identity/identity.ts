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

/** The shared services for tokens, policies, leases and namespaces. */
export type Identity = Awaited<ReturnType<typeof openIdentity>>;

export interface IdentityOptions {
  readonly store: SecretsStore;
  readonly barrier: Barrier;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The pauses before failed revocations are retried. */
  readonly leaseRetry?: Retry;
  /**
   * The interval of removing expired tokens and leases, in milliseconds. They are refused from their expiry, removed or
   * not.
   */
  readonly sweepInterval?: number;
}

/** Opens the store's tokens, policies, leases and namespaces, and creates the initial policies. */
export async function openIdentity(options: IdentityOptions) {
  const { store, barrier, accounts, clock, log, leaseRetry, sweepInterval = 1000 } = options;
  const policies = policyStore(store, barrier);
  await policies.ensureInitial('');
  const keptLeases = leaseStore(store, barrier);
  const leases = leasesOf(keptLeases, log, leaseRetry);
  const tokens = tokenStore(store, barrier, accounts, keptLeases);
  const kept = wrappingStore(store, barrier);
  // A replication activation token is presented whole and contains a wrapping token.
  const wrappings: WrappingStore = {
    ...kept,
    find: (text, now) => kept.find(wrappingTokenOf(barrier, text), now),
  };
  const acls = aclsOf(policies);

  /** Runs steps although some fail, so that one unreadable record doesn't keep the others. @throws the first error */
  const runAll = async (steps: readonly (() => Promise<void>)[]): Promise<void> => {
    const errors: unknown[] = [];
    for (const step of steps) if (!barrier.sealed) await step().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
  const clear = oneAtATime(() => {
    const now = clock.now();
    return runAll([() => tokens.sweep(now), () => wrappings.sweep(now)]);
  });
  // Revocations run separately, because each waits for its provider; a slow one must delay only its own sweep.
  const takingBack = new Set<Promise<void>>();
  const takeBack = async (): Promise<void> => {
    const taken = leases.sweep(clock.now());
    takingBack.add(taken);
    await taken.finally(() => takingBack.delete(taken));
  };
  /** Accounts that changed and may have void tokens; undefined for all, because any may have changed before the start. */
  const changedAccounts = new Set<string | undefined>([undefined]);
  /** The tokens are void already; this removes them and their leases. */
  const clearVoid = async (): Promise<void> => {
    for (const id of changedAccounts) {
      if (barrier.sealed) return;
      await tokens.clearVoid(id, clock.now());
      changedAccounts.delete(id);
    }
  };
  const sweep = (): Promise<void> => runAll([clearVoid, clear.run, takeBack]);
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.warn('expired records not deleted', { error }));
  }, sweepInterval);
  timer.unref();
  const stopListening = accounts.onChange(({ account, changed }) => {
    if (changed === 'created' || changed === 'profile') return;
    changedAccounts.add(account.id);
    clearVoid().catch((error: unknown) => log.warn('void tokens not deleted', { error }));
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
    /** Removes expired records, unless the server is sealed. */
    sweep,
    async close(): Promise<void> {
      clearInterval(timer);
      stopListening();
      await Promise.allSettled([clear.running(), ...takingBack]);
    },
  };
}

/** Runs the work, or waits for it if it is already running. */
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
