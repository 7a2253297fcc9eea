import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { dueTime } from '../domain/session/session.ts';
import { SecretsServerFailure } from '../domain/vault-store/failure.ts';
import { postponed, renewedLease } from '../domain/vault-store/lease.ts';
import type { Lease } from '../domain/vault-store/lease.ts';
import { died, isSealedAlike, notRenewed, renewed } from '../domain/vault-store/token.ts';
import type { StoreToken } from '../domain/vault-store/token.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { VaultLeaseStore } from '../store/vault-leases.ts';
import type { VaultTokenStore } from '../store/vault-tokens.ts';
import type { Vault } from '../store/vault.ts';
import { withSecretsServer } from './client.ts';
import type { SecretsServer, SecretsServerLimits } from './client.ts';
import { keeper } from './keeper.ts';

export interface UpkeepParts {
  readonly vaultTokens: VaultTokenStore;
  readonly vaultLeases: VaultLeaseStore;
  readonly sessions: Pick<SessionStore, 'settle' | 'get' | 'removeEnded'>;
  /** Cancels sessions that couldn't be canceled before. */
  readonly cancelSessions: () => Promise<void>;
  /** Deletes marks of removed items that no list token needs. */
  readonly forgetMarks: (now: number) => Promise<void>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: SecretsServerLimits;
}

/**
 * Keeps the tokens of credential stores and the leases of sessions alive, every `everyMs` milliseconds: renews tokens
 * in time and leases with their sessions, and revokes both once they aren't needed. Pending work is stored, and
 * continues after a restart.
 * @returns stops and cancels pending requests
 */
export function startUpkeep(options: UpkeepParts, everyMs: number): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const parts = { ...options, limits: { ...options.limits, signal } };
  const { vaultTokens, vaultLeases } = parts;
  const tokens = keeper(parts, vaultTokens, (token) => keepToken(parts, token));
  const leases = keeper(parts, vaultLeases, (lease) => keepLease(parts, lease));
  const round = async (): Promise<void> => {
    const now = parts.clock.now();
    try {
      await parts.cancelSessions();
      await parts.sessions.settle(now);
      await vaultLeases.forgetOver(now);
      await parts.sessions.removeEnded(now);
      await parts.forgetMarks(now);
    } finally {
      // Revokes and renews even if the store can't be written.
      leases.begin();
      tokens.begin();
    }
  };
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const plan = (): void => {
    timer = setTimeout(() => {
      running = round()
        .catch((error: unknown) => parts.log.warn('tokens and leases not checked', { error }))
        .finally(() => {
          if (!signal.aborted) plan();
        });
    }, everyMs);
    timer.unref();
  };
  plan();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
    await Promise.all([leases.done(), tokens.done()]);
  };
}

async function keepToken(parts: UpkeepParts, token: StoreToken): Promise<void> {
  if (token.status === 'maintaining') return keepReplaced(parts, token);
  const { vaultTokens, clock, log } = parts;
  const outcome = await attempt(parts, token, (server) => server.renewSelf());
  const now = clock.now();
  if (!outcome.done)
    log.warn('token of a credential store not renewed', { resourceId: token.id, reason: outcome.reason });
  await vaultTokens.change(token.id, (current) => {
    // The token has moved to another server in the meantime; this server's answer no longer applies.
    if (!isSealedAlike(current, token)) return current;
    if (outcome.done) return renewed(current, outcome.result, now);
    return outcome.reason === 'forbidden' ? died(current, now) : notRenewed(current, now);
  });
}

/** Keeps a replaced token alive until its last lease ends, since revoking the token would revoke its leases. */
async function keepReplaced(parts: UpkeepParts, token: StoreToken): Promise<void> {
  const { vaultTokens, clock, log } = parts;
  const over = !vaultTokens.hasLeases(token.id);
  const outcome = await attempt(parts, token, async (server) =>
    over ? await revoke(server) : server.renewSelf(),
  );
  const now = clock.now();
  if (outcome.done ? over : outcome.reason === 'forbidden' || now >= token.expirationTime) {
    await vaultTokens.remove(token.id);
    return;
  }
  if (!outcome.done)
    log.warn('replaced token not renewed or revoked', { resourceId: token.id, reason: outcome.reason });
  await vaultTokens.change(token.id, (current) => {
    if (!outcome.done) return notRenewed(current, now);
    const kept = renewed(current, outcome.result, now);
    // The token's last lease may have ended in the meantime.
    return vaultTokens.hasLeases(token.id) ? kept : { ...kept, dueTime: now };
  });
}

async function revoke(server: SecretsServer): Promise<number> {
  await server.revokeSelf();
  return 0;
}

async function keepLease(parts: UpkeepParts, lease: Lease): Promise<void> {
  const { vaultLeases, vaultTokens, sessions, clock, log } = parts;
  const token = vaultTokens.get(lease.tokenId);
  const now = clock.now();
  const ended = lease.status === 'active' && (!lease.renewable || now >= lease.expirationTime);
  if (token === undefined || token.dueTime === null || ended) {
    await vaultLeases.remove(lease, now);
    return;
  }
  const revoking = lease.status === 'revoking';
  const session = revoking ? undefined : sessions.get(lease.sessionId);
  // The session has ended, which isn't stored yet.
  if (session !== undefined && (dueTime(session) ?? now) <= now) return;
  const outcome = await attempt(parts, token, async (server) => {
    if (!revoking) return server.renewLease(lease.leaseId);
    await server.revokeLease(lease.leaseId);
    return 0;
  });
  const after = clock.now();
  if (outcome.done) {
    if (revoking) await vaultLeases.remove(lease, after);
    else await vaultLeases.save(renewedLease(lease, outcome.result, after));
    return;
  }
  log.warn(revoking ? 'lease not revoked' : 'lease not renewed', {
    resourceId: lease.id,
    reason: outcome.reason,
  });
  // If the server refuses the renewal or doesn't know the lease, the lease is over.
  const later =
    outcome.reason === 'refused' || outcome.reason === 'not-found' ? undefined : postponed(lease, after);
  if (later === undefined) await vaultLeases.remove(lease, after);
  else await vaultLeases.save(later);
}

type Outcome<Result> =
  | { readonly done: true; readonly result: Result; readonly reason?: undefined }
  | { readonly done: false; readonly reason: SecretsServerFailure['reason'] };

async function attempt<Result>(
  { vault, limits }: UpkeepParts,
  token: StoreToken,
  work: (server: SecretsServer) => Promise<Result>,
): Promise<Outcome<Result>> {
  const { connection, secrets } = vault.openConnection(token);
  try {
    return { done: true, result: await withSecretsServer(connection, secrets, limits, work) };
  } catch (error) {
    // A request that was canceled because the service stops says nothing about the secrets server.
    if (!(error instanceof SecretsServerFailure) || limits.signal?.aborted === true) throw error;
    return { done: false, reason: error.reason };
  }
}
