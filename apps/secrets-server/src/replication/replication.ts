import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { turns } from '@gatehouse/service-kit/turns';
import { currentAsker } from '@gatehouse/service-kit/write-queue';
import type { WrapInfo } from '../core/authorizer.ts';
import type { TokenEntry } from '../core/identity.ts';
import { badRequest } from '../core/refusal.ts';
import type { Identity } from '../identity/identity.ts';
import type { Barrier } from '../store/barrier.ts';
import type { SecretsStore } from '../store/database.ts';
import type { MountTableStore } from '../store/mounts.ts';
import { replicationRecords } from '../store/replication/records/record-store.ts';
import type {
  Digest,
  PathsFilter,
  Position,
  ReplicationStore,
} from '../store/replication/replication-store.ts';
import { openActivations } from './activation/activation.ts';
import type { ActivationRequest, Redemption } from './activation/activation.ts';
import { patienceOf } from './link/patience.ts';
import type { FollowState, SecondaryState } from './link/types.ts';
import { transitionLog } from './role/events.ts';
import type { TransitionParts } from './role/parts.ts';
import {
  asPrimary,
  demotePrimary,
  disablePrimary,
  disableSecondary,
  enablePrimary,
  promoteSecondary,
} from './role/primary-transitions.ts';
import type { ClusterListener, Role } from './role/role.ts';
import { enableSecondary, updatePrimary } from './role/secondary-transitions.ts';
import type { PrimaryUpdate } from './role/secondary-transitions.ts';
import { forwarderOf } from './running/forwarding.ts';
import { startHousekeeping } from './running/housekeeping.ts';
import type { ReplicationTimes } from './running/links.ts';
import { localData } from './running/local-data.ts';
import { openRuntime } from './running/runtime.ts';
import type { RuntimeOptions } from './running/runtime.ts';
import { nameOf, openSecondaries } from './running/secondaries.ts';
import type { KnownSecondary } from './running/secondaries.ts';

/** The current state of replication. */
export interface ReplicationView {
  readonly role: Role;
  /**
   * The cluster address of this cluster as `host:port`; empty while its port is closed and no address is configured.
   */
  readonly clusterAddress: string;
  readonly position: Position;
  /** False while a snapshot is being received. */
  readonly whole: boolean;
  /** All activated secondaries. */
  readonly known: readonly KnownSecondary[];
  readonly connected: readonly SecondaryState[];
  /** The state of following a primary; undefined if this cluster follows none. */
  readonly follow: FollowState | undefined;
}

/** This cluster's replication role and its transitions, which return messages for the user. */
export type Replication = ReturnType<typeof openReplication>;

export interface ReplicationOptions {
  readonly database: SecretsStore;
  readonly store: ReplicationStore;
  readonly barrier: Barrier;
  readonly identity: Identity;
  readonly mounts: MountTableStore;
  readonly listener: ClusterListener;
  /** The address of this server's API for clients; empty if unknown. */
  readonly apiAddress: () => string;
  readonly answer: RuntimeOptions['answer'];
  readonly clock: Clock;
  readonly log: Log;
  readonly times: ReplicationTimes;
}

/**
 * The default time limits in milliseconds: for a primary's answer to a ping, and for all external calls of a role
 * change.
 */
const usual = { pingMs: 10_000, waitMs: 20_000 };

/** Digests read all records, each in a database snapshot of its own: one at a time. */
const digestTurns = { atOnce: 1, mostOwn: 4, mostWaiting: 64 };

/**
 * Reads this cluster's role. Replicated writes are logged or refused from now on; everything else runs after `start`.
 */
export function openReplication(options: ReplicationOptions) {
  const { database, store, barrier, identity, mounts, clock, log, times, apiAddress } = options;
  const records = replicationRecords(database, barrier);
  const secondaries = openSecondaries(records, identity.tokens.personHolds, clock);
  const runtime = openRuntime({
    ...options,
    records,
    secondaries,
    inTurn: (work) => transitions.between(work),
  });
  const { wrappings } = identity;
  const digestInTurn = turns(digestTurns);
  const activations = openActivations({ barrier, records, secondaries, wrappings, clock });
  const transitions = transitionLog(records, clock, log, () => runtime.role.mode);
  const noteHeard = async (): Promise<void> => {
    const heard = runtime.following?.state().heard;
    if (heard === undefined || runtime.role.mode !== 'secondary') return;
    if (runtime.role.heard?.time === heard.time) return;
    await runtime.amend({ heard });
  };
  const parts: TransitionParts = {
    runtime,
    store,
    records,
    secondaries,
    activations,
    local: localData(identity, mounts, clock),
    clock,
    patience: () => patienceOf(times.ping ?? usual.pingMs, times.wait ?? usual.waitMs),
    noteHeard,
  };
  const house = startHousekeeping({
    store,
    barrier,
    mounts,
    identity,
    clock,
    log,
    async nowAndThen() {
      await transitions.between(noteHeard);
      const { mode } = runtime.role;
      // A demoted primary keeps its entries so that secondaries can fetch them.
      if (mode === 'primary' || runtime.following !== undefined)
        await store.trim(secondaries.list().flatMap(({ appliedSeq }) => appliedSeq ?? []));
      if (mode === 'primary') await secondaries.removeExpired();
    },
  });
  // Doesn't wait for its turn, because the transition in progress may take long.
  barrier.onLock(() => {
    // The link reads the secondaries until it is closed.
    void runtime.lock().then(() => secondaries.forget());
  });
  barrier.onUnlock(() => {
    runtime.unlock();
    void transitions.between(() => runtime.start());
  });
  const make = (operation: string, by: string, work: () => Promise<readonly string[]>) =>
    transitions.make(operation, by, work);
  const find = (id: string): KnownSecondary => {
    const secondary = secondaries.find(id);
    if (secondary === undefined) throw badRequest(`no secondary "${id}"`);
    return secondary;
  };
  const refuseMixture = (): void => {
    if (!store.whole())
      throw badRequest(
        'a snapshot is being received. This cluster has a digest when the snapshot is complete.',
      );
  };

  return {
    get view() {
      const { role, serving, following } = runtime;
      return {
        role,
        clusterAddress: runtime.clusterAddress(),
        position: store.position(),
        whole: store.whole(),
        known: secondaries.list(),
        connected: serving?.secondaries() ?? [],
        follow: following?.state(),
      };
    },
    store,
    transitions,
    forwarder: forwarderOf(runtime),
    enablePrimary: (by: string, address: string): Promise<readonly string[]> =>
      make('primary/enable', by, () => enablePrimary(parts, address)),
    demotePrimary: (by: string): Promise<readonly string[]> =>
      make('primary/demote', by, () => demotePrimary(parts)),
    disablePrimary: (by: string): Promise<readonly string[]> =>
      make('primary/disable', by, () => disablePrimary(parts)),
    activate: (
      by: string,
      caller: TokenEntry | undefined,
      asked: Omit<ActivationRequest, 'person'>,
    ): Promise<{ readonly wrapInfo: WrapInfo } | { readonly token: string }> =>
      transitions.keepActivation('primary/secondary-token', by, async () => {
        const role = asPrimary(runtime.role);
        const address = runtime.clusterAddress();
        if (address === '') throw badRequest("the cluster port isn't open at the moment. See the log.");
        const person = caller === undefined ? null : identity.tokens.personOf(caller);
        return activations.issue(role, [address], apiAddress(), { ...asked, person });
      }),
    revokeSecondary: (by: string, id: string): Promise<readonly string[]> =>
      make('primary/revoke-secondary', by, async () => {
        asPrimary(runtime.role);
        const secondary = find(id);
        await secondaries.remove(secondary);
        runtime.serving?.disconnect(secondary.id);
        return [
          `The secondary ${nameOf(secondary)} is being disconnected. It can't reconnect without a new token.`,
        ];
      }),
    /** The filter of a secondary, by its name or cluster ID. @throws Refusal 400 unless this cluster is a primary */
    filterOf(id: string): PathsFilter | undefined {
      asPrimary(runtime.role);
      return secondaries.filterOf(id);
    },
    /** Replaces a filter; undefined removes it. A connected secondary receives a new snapshot. */
    saveFilter: (id: string, filter: PathsFilter | undefined): Promise<void> =>
      transitions.between(async () => {
        asPrimary(runtime.role);
        await secondaries.saveFilter(id, filter);
        const secondary = secondaries.find(id);
        if (secondary !== undefined) runtime.serving?.disconnect(secondary.id);
      }),
    /** The public key for encrypting activations to this cluster. */
    publicKey: (): Promise<string> =>
      transitions.between(async () => {
        if (runtime.role.mode === 'primary')
          throw badRequest(
            'this cluster is a primary: only a cluster that is, or will become, a secondary has a public key',
          );
        return activations.publicKey();
      }),
    enableSecondary: (by: string, redemption: Redemption): Promise<readonly string[]> =>
      make('secondary/enable', by, () => enableSecondary(parts, redemption)),
    promoteSecondary: (
      by: string,
      asked: { readonly clusterAddress: string; readonly force: boolean },
    ): Promise<readonly string[]> => make('secondary/promote', by, () => promoteSecondary(parts, asked)),
    disableSecondary: (by: string): Promise<readonly string[]> =>
      make('secondary/disable', by, () => disableSecondary(parts)),
    updatePrimary: (by: string, update: PrimaryUpdate): Promise<readonly string[]> =>
      make('secondary/update-primary', by, () => updatePrimary(parts, update)),
    /**
     * A digest of this cluster's records, or of those that a secondary should have.
     * @param secondary name or cluster ID; empty for this cluster
     * @param giveWay lets others continue
     * @throws NoTurn if too many digests wait: each reads all records, one after another
     */
    async digest(secondary: string, giveWay: () => Promise<void>): Promise<Digest> {
      const { role } = runtime;
      if (role.mode === 'disabled')
        throw badRequest('replication is disabled on this cluster: there is nothing to compare it with');
      refuseMixture();
      const filter = secondary === '' ? undefined : secondaries.filter(find(secondary));
      const key = Buffer.from(role.digestKey, 'base64');
      return digestInTurn(currentAsker(), async () => {
        // Ends the work if the client has left while it waited.
        await giveWay();
        return store.digest(key, filter, giveWay);
      });
    },
    /** Adds an entry without records and returns its number. */
    async canary(): Promise<number> {
      asPrimary(runtime.role);
      return store.touch(clock.now());
    },
    /** Starts the services of the stored role. */
    start: (): Promise<void> => transitions.between(() => runtime.start()),
    async close(): Promise<void> {
      await house.close();
      await transitions.between(async () => {
        if (!barrier.sealed) await noteHeard();
        await runtime.stop();
      });
    },
  };
}
