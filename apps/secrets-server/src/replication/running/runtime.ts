import { sealedRefusal } from '../../core/refusal.ts';
import type { SecretsWriter } from '../../store/database.ts';
import type { ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { Following, Serving } from '../link/types.ts';
import { disabled } from '../role/role.ts';
import type { Role, SecondaryRole, ServingRole } from '../role/role.ts';
import { followPrimary, serve } from './links.ts';
import type { LinkOptions } from './links.ts';

/** What a cluster's part in replication runs with. */
export interface RuntimeOptions extends LinkOptions {
  readonly records: ReplicationRecords;
  /** Does something once no transition is under way. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/** A cluster's part in replication, and what runs because of it. */
export type Runtime = ReturnType<typeof openRuntime>;

/** Pause before a port is tried again that something else uses, in milliseconds. */
const portRetryMs = 5000;

const captureOf = ({ mode }: Role) => (mode === 'primary' ? 'keep' : mode === 'secondary' ? 'refuse' : 'off');

/** What a cluster with this role serves others by; undefined when it serves nobody. */
function servingRole(role: Role): ServingRole | undefined {
  if (role.mode === 'primary') return role;
  return role.mode === 'secondary' ? role.demoted : undefined;
}

/** A role whose cluster is found at this port from now on. */
function withPort(role: Role, port: number): Role {
  if (role.mode === 'primary') return { ...role, port };
  if (role.mode !== 'secondary' || role.demoted === undefined) return role;
  return { ...role, demoted: { ...role.demoted, port } };
}

/** Runs by what the store holds. */
export function openRuntime(options: RuntimeOptions) {
  const { store, records, listener, log, inTurn } = options;
  const readRole = (): Role => (records.read('role') as Role | undefined) ?? disabled;
  let role = readRole();
  let isLocked = false;
  let serving: Serving | undefined;
  let following: Following | undefined;
  let portRetry: NodeJS.Timeout | undefined;
  /** Whether this primary began an epoch since its store was opened or unsealed. */
  let isBegun = false;
  let changing: Promise<unknown> = Promise.resolve();

  const clusterAddress = (): string => {
    const given = servingRole(role)?.clusterAddress || listener.address;
    if (given !== undefined && given !== '') return given;
    return serving === undefined
      ? ''
      : `${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${serving.port}`;
  };
  /** Keeps what a role becomes once the changes before it are kept; undefined leaves it. */
  const change = (
    nextOf: (now: Role) => Role | undefined,
    also?: (tx: SecretsWriter) => void,
  ): Promise<void> => {
    const changed = changing.then(async () => {
      const next = nextOf(role);
      if (next === undefined) return;
      await records.save('role', next, also);
      // Whoever unseals reads it again.
      if (!isLocked) role = next;
    });
    changing = changed.catch(() => undefined);
    return changed;
  };
  const save = (next: Role): Promise<void> => change(() => next);
  /** What is written from now on must not pass for what was written before: what is here may be of a backup. */
  const beginEpoch = async (): Promise<void> => {
    if (isBegun || role.mode !== 'primary') return;
    await store.beginEpoch(false);
    isBegun = true;
  };
  const follows = (secondary: SecondaryRole): void => {
    const { credentials } = secondary;
    if (credentials === undefined) return;
    following = followPrimary(options, secondary, credentials, {
      clusterAddress,
      onFilter: (filter, filterHash) =>
        change((now) => {
          if (now.mode !== 'secondary' || now.credentials !== credentials) return undefined;
          const { filter: _, ...rest } = now;
          return { ...rest, filterHash, ...(filter !== undefined && { filter }) };
        }),
    });
  };
  /** Opens the port of a role, if it has one, and has it prepared and kept before anybody is answered. */
  const run = async (next: Role, keep: (port: number) => Promise<void>): Promise<void> => {
    const serves = servingRole(next);
    const opened = serves === undefined ? undefined : await serve(options, next.mode, serves, keep);
    if (opened === undefined) await keep(0);
    if (isLocked) {
      await opened?.close();
      throw sealedRefusal();
    }
    serving = opened;
    if (role.mode === 'secondary') follows(role);
  };
  const stop = async (): Promise<void> => {
    clearTimeout(portRetry);
    portRetry = undefined;
    const [server, follower] = [serving, following];
    serving = undefined;
    following = undefined;
    await Promise.all([server?.close(), follower?.close()]);
  };
  const start = async (): Promise<void> => {
    if (isLocked || serving !== undefined || following !== undefined) return;
    store.capture = captureOf(role);
    try {
      // Writes do not wait for the port.
      await beginEpoch();
      await run(role, async (port) => {
        const known = servingRole(role)?.port;
        // The same one is taken next time: secondaries know it.
        if (known !== undefined && known !== port) await save(withPort(role, port));
      });
    } catch (error) {
      if (isLocked) return;
      log.error("the cluster port can't be used; retrying", { error });
      const retry = setTimeout(() => {
        void inTurn(async () => {
          if (portRetry === retry) await start();
        });
      }, portRetryMs).unref();
      portRetry = retry;
    }
  };
  // Nothing is written past replication between the opening of the store and `start`.
  store.capture = captureOf(role);

  return {
    get role() {
      return role;
    },
    get serving() {
      return serving;
    },
    get following() {
      return following;
    },
    /** `host:port` where others reach it; empty while its port is closed and none was given. */
    clusterAddress,
    /**
     * Keeps a role and runs what belongs to it; what ran before has ended.
     * @param also what goes with the role, once it can be had: in the same transaction, so that no kill comes between
     * @throws Refusal 400 when its port cannot be used. Then, and when `also` fails, the role stays what it was
     */
    async take(next: Role, also?: (tx: SecretsWriter) => void): Promise<void> {
      await run(next, async (port) => {
        await change(() => withPort(next, port), also);
        store.capture = captureOf(next);
      });
    },
    /** Ends what runs and changes the role. What belongs to the role runs again when that fails. */
    async whileStopped(work: () => Promise<void>): Promise<void> {
      await stop();
      try {
        await work();
      } catch (error) {
        await start();
        throw error;
      }
    },
    /** Changes something of a secondary's role that does not change what runs. */
    amend: (changed: Partial<SecondaryRole>): Promise<void> =>
      change((now) => (now.mode === 'secondary' ? { ...now, ...changed } : undefined)),
    /** Becomes a secondary at this very write, and keeps serving what it has. */
    async demote(next: SecondaryRole): Promise<void> {
      store.capture = captureOf(next);
      try {
        await save(next);
      } finally {
        store.capture = captureOf(role);
      }
      serving?.demote();
    },
    /** Ends what runs; the role stays. */
    stop,
    /** Runs what belongs to the role again, and tries for as long as its port cannot be used. */
    start,
    /** Ends what runs, forgets the role and starts nothing until `unlock`: the store is sealed. */
    async lock(): Promise<void> {
      isLocked = true;
      role = disabled;
      await stop();
    },
    /** Reads the role again; `start` runs what belongs to it. */
    unlock(): void {
      isLocked = false;
      role = readRole();
      store.capture = captureOf(role);
      isBegun = false;
      // Before anything else is written; `start` tries again.
      beginEpoch().catch(() => undefined);
    },
  };
}
