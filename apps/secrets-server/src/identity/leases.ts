import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Log } from '@gatehouse/service-kit/log';
import type { Writer } from '@gatehouse/service-kit/store';
import type { Lease, Request } from '../core/backend.ts';
import type { Mount } from '../core/mount.ts';
import { badRequest, permissionDenied } from '../core/refusal.ts';
import { isToken, systemTtl } from '../domain/token/token.ts';
import type { EndedLease, LeaseRecord, LeaseStore } from '../store/leases.ts';
import type { Schema } from '../store/schema.ts';
import { allDone, bySource } from './by-source.ts';
import { inParallel } from './in-parallel.ts';
import { retryTime, slowRetry } from './retry.ts';
import type { Retry } from './retry.ts';

/** An engine's operations on its leases. */
export interface LeaseKeeper {
  /** Revokes a lease. A failed revocation is retried, so revoking twice must not fail. */
  revoke(data: unknown, lease: LeaseRecord): Promise<void>;
  /** How long a renewable lease lasts by the current settings, in seconds; undefined if its mount is gone. */
  times(lease: LeaseRecord): LeaseTimes | undefined;
  /** Whether an error of `revoke` means that the mount's source does not answer, so that its other leases wait. */
  isUnanswered?(error: unknown): boolean;
  /** Called with each sweep of the leases. */
  sweep?(now: number): Promise<void>;
  /** Stops issuing for a mount, and returns what else of the mount is left to revoke. */
  stop?(mount: Mount): Promise<readonly string[]>;
  /** Issues for the mount again. */
  resume?(mount: Mount): void;
  /** Forgets everything of a mount that is not a lease, without revoking it. */
  forget?(mount: Mount): Promise<void>;
  /** Whether anything of a mount other than leases is left to revoke. */
  holds?(mount: Mount): boolean;
}

/** How long leases last, in seconds. */
export interface LeaseTimes {
  /** 0 for the system's default. */
  readonly ttl: number;
  /** With all renewals, since the lease was issued; 0 for the system's default. */
  readonly maxTtl: number;
}

/** A lease to be issued. */
export interface NewLease extends LeaseTimes {
  /** The name under which the engine registered its keeper. */
  readonly engine: string;
  /** The request that the lease is issued to, with the path and the token that the lease ends with. */
  readonly request: Request;
  readonly renewable: boolean;
  /** The engine's data for the revocation, as JSON. Stored sealed. */
  readonly data: unknown;
  /** Further changes in the transaction that stores the lease. */
  readonly within?: (tx: Writer<Schema>) => void;
}

/** The leases of all engines, which are revoked at their expiry, on request, or with their token. */
export type Leases = ReturnType<typeof leasesOf>;

/** The number of simultaneous revocations per source. */
const atOnce = 8;

/** The number of leases that are read in a row, in a few milliseconds. */
const readAtOnce = 200;

/** What is left of a mount to revoke. */
export interface Left {
  readonly count: number;
  /** Some of it, for messages. */
  readonly some: readonly string[];
}

/** The outcome of a revocation. */
type Outcome = 'done' | 'failed' | 'unanswered';

export function leasesOf(store: LeaseStore, log: Log, retry: Retry = slowRetry) {
  const keepers = new Map<string, LeaseKeeper>();
  /** Revocations in progress; a sweep and a request must not revoke the same lease at once. */
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
  /** Revokes ended leases, and returns the IDs of those that could not be revoked yet. */
  const takeBackAll = async (namespace: string, ids: readonly string[], now: number): Promise<string[]> => {
    const left: string[] = [];
    /** Sources that don't answer; their other leases have ended, and the sweep revokes them. */
    const silent = new Set<string>();
    const each = async (id: string): Promise<void> => {
      const lease = store.get(namespace, id);
      if (lease === undefined) return;
      const source = sourceOf(lease);
      const outcome = silent.has(source) ? 'unanswered' : await takeBackOnce(lease, now);
      if (outcome === 'unanswered') silent.add(source);
      if (outcome !== 'done') left.push(id);
    };
    for (let done = 0; done < ids.length; done += readAtOnce) {
      await inParallel(atOnce, ids.slice(done, done + readAtOnce), each);
      await nextTurn();
    }
    return left;
  };
  const revoke = async (namespace: string, ids: readonly string[], now: number): Promise<string[]> => {
    await store.end(namespace, ids, now);
    return takeBackAll(namespace, ids, now);
  };

  /** The time of the last sweep. */
  let sweepTime = 0;
  const due = bySource<LeaseRecord>({
    width: atOnce,
    idOf: keyOf,
    sourceOf,
    work: async (lease) => (await takeBackOnce(lease, sweepTime)) !== 'unanswered',
    leaveOut: (lease) => putOff(lease, sweepTime),
  });

  return {
    /** Registers an engine's keeper; must be called before the first request. */
    register(engine: string, keeper: LeaseKeeper): void {
      keepers.set(engine, keeper);
    },

    /**
     * Stores a lease and returns it for the answer. If it can't be issued, it is revoked.
     * @throws Refusal 400 if the request was the token's last use; 403 if the token was revoked
     */
    async issue({ engine, request, ttl, maxTtl, renewable, data, within }: NewLease): Promise<Lease> {
      const { caller, now, namespace } = request;
      const times = inSeconds({ ttl, maxTtl });
      const duration = Math.min(times.ttl, times.maxTtl);
      const record: LeaseRecord = {
        id: `${request.fullPath}/${randomBase62(24)}`,
        namespace,
        engine,
        mountId: request.mount.id,
        token: isToken(caller) ? caller.hash : null,
        issueTime: now,
        expireTime: now + duration * 1000,
        maxExpireTime: now + times.maxTtl * 1000,
        lastRenewalTime: null,
        renewable,
        attempts: 0,
        data,
      };
      if (await store.add(record, within)) return { id: record.id, duration, renewable };
      // Stored without its token until it is revoked, so that a failed revocation is retried.
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

    /**
     * Extends a lease by the current settings of its mount, as Vault does.
     * @param increment seconds from now; 0 for the duration of a new lease
     * @throws Refusal 400
     */
    async renew(
      lease: LeaseRecord,
      increment: number,
      now: number,
    ): Promise<{ readonly lease: Lease; readonly warnings: readonly string[] }> {
      if (!lease.renewable) throw badRequest('lease is not renewable');
      const times = keepers.get(lease.engine)?.times(lease);
      if (times === undefined) throw badRequest('lease not found');
      const { ttl, maxTtl } = inSeconds(times);
      const wanted = increment > 0 ? increment : ttl;
      const most = Math.floor((lease.issueTime + maxTtl * 1000 - now) / 1000);
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

    /** Ends leases at once. Returns the IDs of those that could not be revoked yet, which are retried. */
    revoke,

    /** Ends leases, and removes those that can't be revoked. */
    async revokeForcibly(namespace: string, ids: readonly string[], now: number): Promise<void> {
      await store.remove(namespace, await revoke(namespace, ids, now));
    },

    /** As in `LeaseStore`. */
    ids: store.ids,

    /** Ends all leases of a mount that is about to be removed, and issues nothing more for it. */
    async endOfMount(mount: Mount, now: number): Promise<Left> {
      const some: string[] = [];
      for (const keeper of keepers.values()) some.push(...((await keeper.stop?.(mount)) ?? []));
      const others = some.length;
      await store.endOfMount(mount.id, now);
      let last: EndedLease | undefined;
      do {
        const part = store.endedOfMount(mount.id, last);
        const ids = part.map(({ id }) => id);
        const left = await takeBackAll(mount.namespace, ids, now);
        if (some.length === 0) some.push(...left);
        // If none can be revoked, the sweeps try the others.
        last = left.length < part.length ? part.at(-1) : undefined;
      } while (last !== undefined);
      return { count: others + store.countOfMount(mount.id), some };
    },

    /** Issues for a mount again that wasn't removed after all. */
    resume(mount: Mount): void {
      for (const keeper of keepers.values()) keeper.resume?.(mount);
    },

    /** Forgets everything of a mount that is not a lease, without revoking it. */
    async forget(mount: Mount): Promise<void> {
      for (const keeper of keepers.values()) await keeper.forget?.(mount);
    },

    /** Ends all leases of retired mounts. Returns the mounts that have nothing left to revoke. */
    async endRetired(mounts: readonly Mount[], now: number): Promise<readonly Mount[]> {
      const gone: Mount[] = [];
      for (const mount of mounts) {
        // Repeated each time, because a request in progress may have issued another lease.
        if (store.hasOfMount(mount.id)) await store.endOfMount(mount.id, now);
        const isHeld = keepers.get(mount.type)?.holds?.(mount) === true;
        if (!isHeld && !store.hasOfMount(mount.id)) gone.push(mount);
      }
      return gone;
    },

    /** Revokes due leases. A source that an earlier sweep still waits for does not delay the others. */
    async sweep(now: number): Promise<void> {
      sweepTime = now;
      await allDone([
        due.take(store.due(now, due.held)),
        ...[...keepers.values()].map((keeper) => keeper.sweep?.(now) ?? Promise.resolve()),
      ]);
    },
  };
}

/** With the system's defaults. */
function inSeconds({ ttl, maxTtl }: LeaseTimes): LeaseTimes {
  return { ttl: ttl > 0 ? ttl : systemTtl, maxTtl: maxTtl > 0 ? maxTtl : systemTtl };
}
