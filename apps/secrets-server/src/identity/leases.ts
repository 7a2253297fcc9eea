import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Log } from '@gatehouse/service-kit/log';
import type { Writer } from '@gatehouse/service-kit/store';
import type { Lease, Request } from '../core/backend.ts';
import type { Mount } from '../core/mount.ts';
import { badRequest, permissionDenied } from '../core/refusal.ts';
import { isToken, systemTtl } from '../domain/token/token.ts';
import type { LeaseRecord, LeaseStore } from '../store/leases.ts';
import type { Schema } from '../store/schema.ts';
import { allDone, bySource } from './by-source.ts';
import { inParallel } from './in-parallel.ts';
import { retryTime, slowRetry } from './retry.ts';
import type { Retry } from './retry.ts';

/** What an engine does with what it issued. */
export interface LeaseKeeper {
  /** Takes it back; again after it failed, so taking back twice must be no fault. */
  revoke(data: unknown, lease: LeaseRecord): Promise<void>;
  /** Whether an error of `revoke` means that the mount's source does not answer: its others wait for the next attempt. */
  isUnanswered?(error: unknown): boolean;
  /** Called as often as leases are looked through. */
  sweep?(now: number): Promise<void>;
  /** Issues nothing more for a mount; answers what of it is left besides leases. */
  stop?(mount: Mount): Promise<readonly string[]>;
  /** Issues for it again. */
  resume?(mount: Mount): void;
  /** Gives up what of a mount is left besides leases. */
  forget?(mount: Mount): Promise<void>;
  /** Whether something of a mount is left besides leases. */
  holds?(mount: Mount): boolean;
}

/** What is issued for a time. */
export interface NewLease {
  /** The name that its keeper was registered under. */
  readonly engine: string;
  /** Whose answer it is part of: names its path, and the token that it ends with. */
  readonly request: Request;
  /** Seconds; the system's own when 0. */
  readonly ttl: number;
  /** Seconds from now that renewals cannot exceed; the system's own when 0. */
  readonly maxTtl: number;
  readonly renewable: boolean;
  /** What the engine will take it back by, as JSON. Sealed at rest. */
  readonly data: unknown;
  /** What is changed in the transaction that keeps it. */
  readonly within?: (tx: Writer<Schema>) => void;
}

/** Everything that engines issued and take back: at its time, when it is revoked, or when its token is. */
export type Leases = ReturnType<typeof leasesOf>;

/** How many are taken back at a time. */
const atOnce = 8;

/** What became of taking one back. */
type Outcome = 'done' | 'failed' | 'unanswered';

/** Leases of a store. */
export function leasesOf(store: LeaseStore, log: Log, retry: Retry = slowRetry) {
  const keepers = new Map<string, LeaseKeeper>();
  /** What is being taken back right now: a sweep and a request must not do it at once. */
  const underWay = new Map<string, Promise<Outcome>>();

  const putOff = (lease: LeaseRecord, now: number) =>
    store.failed(lease, retryTime(retry, lease.attempts, now));
  const takeBack = async (lease: LeaseRecord, now: number): Promise<Outcome> => {
    const keeper = keepers.get(lease.engine);
    try {
      if (keeper === undefined) throw new Error(`no engine revokes leases of ${lease.engine}`);
      await keeper.revoke(lease.data, lease);
    } catch (error) {
      log.warn('lease not revoked', { error });
      await putOff(lease, now);
      return keeper?.isUnanswered?.(error) === true ? 'unanswered' : 'failed';
    }
    await store.remove(lease.namespace, [lease.id]);
    return 'done';
  };
  const sourceOf = ({ engine, mountId }: LeaseRecord): string => `${engine}/${mountId}`;
  const keyOf = ({ namespace, id }: LeaseRecord): string => `${namespace}\0${id}`;
  const takeBackOnce = (lease: LeaseRecord, now: number): Promise<Outcome> => {
    const key = keyOf(lease);
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const started = takeBack(lease, now).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
  /** Takes back leases that have ended; answers those that could not be taken back yet. */
  const takeBackAll = async (namespace: string, ids: readonly string[], now: number): Promise<string[]> => {
    const left: string[] = [];
    /** Sources that don't answer: what else is theirs waits for the sweep, since it has ended. */
    const silent = new Set<string>();
    await inParallel(atOnce, ids, async (id) => {
      const lease = store.get(namespace, id);
      if (lease === undefined) return;
      const source = sourceOf(lease);
      const outcome = silent.has(source) ? 'unanswered' : await takeBackOnce(lease, now);
      if (outcome === 'unanswered') silent.add(source);
      if (outcome !== 'done') left.push(id);
    });
    return left;
  };
  const revoke = async (namespace: string, ids: readonly string[], now: number): Promise<string[]> => {
    await store.end(namespace, ids, now);
    return takeBackAll(namespace, ids, now);
  };

  /** When the last sweep began. */
  let sweepTime = 0;
  const due = bySource<LeaseRecord>({
    width: atOnce,
    idOf: keyOf,
    sourceOf,
    work: async (lease) => (await takeBackOnce(lease, sweepTime)) !== 'unanswered',
    leaveOut: (lease) => putOff(lease, sweepTime),
  });

  return {
    /** Names who takes back what an engine issues. Before the first request. */
    register(engine: string, keeper: LeaseKeeper): void {
      keepers.set(engine, keeper);
    },

    /**
     * Notes what was issued, to be told in the answer. When it cannot be handed out it is taken back.
     * @throws Refusal 400 when the token's last use asked for it; 403 when the token is gone
     */
    async issue({ engine, request, ttl, maxTtl, renewable, data, within }: NewLease): Promise<Lease> {
      const { caller, now, namespace } = request;
      const duration = Math.min(ttl > 0 ? ttl : systemTtl, maxTtl > 0 ? maxTtl : systemTtl);
      const record: LeaseRecord = {
        id: `${request.fullPath}/${randomBase62(24)}`,
        namespace,
        engine,
        mountId: request.mount.id,
        token: isToken(caller) ? caller.hash : null,
        issueTime: now,
        expireTime: now + duration * 1000,
        maxExpireTime: now + (maxTtl > 0 ? maxTtl : systemTtl) * 1000,
        lastRenewalTime: null,
        renewable,
        attempts: 0,
        data,
      };
      if (await store.add(record, within)) return { id: record.id, duration, renewable };
      // Kept without its token until it is taken back, so that it is even when that fails at first.
      await store.add({ ...record, token: null, expireTime: now, maxExpireTime: now }, within);
      await takeBackOnce(record, now);
      if (!isToken(caller) || caller.numUses !== -1) throw permissionDenied();
      throw badRequest(
        'Secret cannot be returned; token had one use left, so leased credentials were immediately revoked.',
      );
    },

    find(namespace: string, id: string, now: number): LeaseRecord | undefined {
      const lease = store.get(namespace, id);
      return lease === undefined || lease.expireTime <= now ? undefined : lease;
    },

    /** @param increment seconds from now; 0 for as many as at first. @throws Refusal 400 */
    async renew(
      lease: LeaseRecord,
      increment: number,
      now: number,
    ): Promise<{ readonly lease: Lease; readonly warnings: readonly string[] }> {
      if (!lease.renewable) throw badRequest('lease is not renewable');
      const first = (lease.expireTime - (lease.lastRenewalTime ?? lease.issueTime)) / 1000;
      const wanted = increment > 0 ? increment : first;
      const most = Math.floor((lease.maxExpireTime - now) / 1000);
      const duration = Math.max(0, Math.min(Math.floor(wanted), most));
      if (duration === 0) throw badRequest('past the max TTL, cannot renew');
      if (!(await store.extend(lease, now + duration * 1000, now))) throw badRequest('lease not found');
      return {
        lease: { id: lease.id, duration, renewable: true },
        warnings:
          wanted > most
            ? [
                `TTL of "${wanted}s" exceeded the effective max_ttl of "${most}s"; TTL value is capped accordingly`,
              ]
            : [],
      };
    },

    /** Ends leases at once; answers those that could not be taken back yet, which is tried again. */
    revoke,

    /** Ends leases and forgets those that cannot be taken back. */
    async revokeForcibly(namespace: string, ids: readonly string[], now: number): Promise<void> {
      await store.remove(namespace, await revoke(namespace, ids, now));
    },

    /** Ids that begin with `prefix`. */
    ids: (namespace: string, prefix: string): string[] => store.ids(namespace, prefix),

    /**
     * Ends all leases of a mount that is going to be removed; answers what could not be taken back yet. When that is
     * nothing, no more is issued for it.
     */
    async endOfMount(mount: Mount, now: number): Promise<readonly string[]> {
      const left: string[] = [];
      for (const keeper of keepers.values()) left.push(...((await keeper.stop?.(mount)) ?? []));
      await store.endOfMount(mount.id, now);
      left.push(...(await takeBackAll(mount.namespace, store.idsOfMount(mount.id), now)));
      if (left.length > 0) for (const keeper of keepers.values()) keeper.resume?.(mount);
      return left;
    },

    /** Gives up what of a mount is left besides leases, without taking it back. */
    async forget(mount: Mount): Promise<void> {
      for (const keeper of keepers.values()) await keeper.forget?.(mount);
    },

    /** Ends all leases of the mounts that stay aside; answers those of which nothing is left any more. */
    async endRetired(mounts: readonly Mount[], now: number): Promise<readonly Mount[]> {
      const gone: Mount[] = [];
      for (const mount of mounts) {
        // Every time: an answer that was under way may have issued another one.
        if (store.hasOfMount(mount.id)) await store.endOfMount(mount.id, now);
        const isHeld = keepers.get(mount.type)?.holds?.(mount) === true;
        if (!isHeld && !store.hasOfMount(mount.id)) gone.push(mount);
      }
      return gone;
    },

    /** Takes back what is due. What an earlier sweep waits for holds up nothing of other sources. */
    async sweep(now: number): Promise<void> {
      sweepTime = now;
      await allDone([
        due.take(store.due(now, due.held)),
        ...[...keepers.values()].map((keeper) => keeper.sweep?.(now) ?? Promise.resolve()),
      ]);
    },
  };
}
