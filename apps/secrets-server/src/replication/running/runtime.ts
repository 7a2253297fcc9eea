import { sealedRefusal } from '../../core/refusal.ts';
import type { SecretsWriter } from '../../store/database.ts';
import type { ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { Following, Serving } from '../link/types.ts';
import { disabled } from '../role/role.ts';
import type { Role, SecondaryRole, ServingRole } from '../role/role.ts';
import { followPrimary, serve } from './links.ts';
import type { LinkOptions } from './links.ts';

export interface RuntimeOptions extends LinkOptions {
  readonly records: ReplicationRecords;
  /** Runs work when no transition is in progress. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/** A cluster's role and the services that it requires. */
export type Runtime = ReturnType<typeof openRuntime>;

/** The pause before a port that is in use is tried again, in milliseconds. */
const portRetryMs = 5000;

const captureOf = ({ mode }: Role) => (mode === 'primary' ? 'keep' : mode === 'secondary' ? 'refuse' : 'off');

/** The settings with which a cluster in this role serves others; undefined if it serves none. */
function servingRole(role: Role): ServingRole | undefined {
  if (role.mode === 'primary') return role;
  return role.mode === 'secondary' ? role.demoted : undefined;
}

/** A role with the port at which the cluster can be found from now on. */
function withPort(role: Role, port: number): Role {
  if (role.mode === 'primary') return { ...role, port };
  if (role.mode !== 'secondary' || role.demoted === undefined) return role;
  return { ...role, demoted: { ...role.demoted, port } };
}

/** Manages the services of the stored role. */
export function openRuntime(options: RuntimeOptions) {
  const { store, records, listener, log, inTurn } = options;
  const readRole = (): Role => (records.read('role') as Role | undefined) ?? disabled;
  let role = readRole();
  let isLocked = false;
  let serving: Serving | undefined;
  let following: Following | undefined;
  let portRetry: NodeJS.Timeout | undefined;
  /** Whether this primary has begun an epoch since its store was opened or unsealed. */
  let isBegun = false;
  let changing: Promise<unknown> = Promise.resolve();

  const clusterAddress = (): string => {
    const given = servingRole(role)?.clusterAddress || listener.address;
    if (given !== undefined && given !== '') return given;
    return serving === undefined
      ? ''
      : `${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${serving.port}`;
  };
  /** Saves a changed role after earlier changes are saved; undefined makes no change. */
  const change = (
    nextOf: (now: Role) => Role | undefined,
    also?: (tx: SecretsWriter) => void,
  ): Promise<void> => {
    const changed = changing.then(async () => {
      const next = nextOf(role);
      if (next === undefined) return;
      await records.save('role', next, also);
      // While sealed, the role is not kept in memory; `unlock` reads it again.
      if (!isLocked) role = next;
    });
    changing = changed.catch(() => undefined);
    return changed;
  };
  const save = (next: Role): Promise<void> => change(() => next);
  /** Separates new writes from earlier ones, because the stored data may be from a backup. */
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
  /** Opens a role's port if it has one, and saves the role before any call is answered. */
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
      // Begins the epoch first, because writes don't wait for the port.
      await beginEpoch();
      await run(role, async (port) => {
        const known = servingRole(role)?.port;
        // Saved so that secondaries find the same port after a restart.
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
  // Replicated writes are logged or refused even before `start`.
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
    /** The cluster address as `host:port`; empty while the port is closed and no address is configured. */
    clusterAddress,
    /**
     * Saves a role and starts its services; those of the previous role must have ended.
     * @param also further changes in the transaction that saves the role, once its port is open
     * @throws Refusal 400 if the port can't be used; then, and if `also` fails, the role stays the same
     */
    async take(next: Role, also?: (tx: SecretsWriter) => void): Promise<void> {
      await run(next, async (port) => {
        await change(() => withPort(next, port), also);
        store.capture = captureOf(next);
      });
    },
    /** Stops the services and changes the role; if that fails, the services start again. */
    async whileStopped(work: () => Promise<void>): Promise<void> {
      await stop();
      try {
        await work();
      } catch (error) {
        await start();
        throw error;
      }
    },
    /** Changes details of a secondary's role that don't affect its services. */
    amend: (changed: Partial<SecondaryRole>): Promise<void> =>
      change((now) => (now.mode === 'secondary' ? { ...now, ...changed } : undefined)),
    /** Becomes a secondary from the next write on, and continues to serve its entries. */
    async demote(next: SecondaryRole): Promise<void> {
      store.capture = captureOf(next);
      try {
        await save(next);
      } finally {
        store.capture = captureOf(role);
      }
      serving?.demote();
    },
    /** Stops the services; the role stays the same. */
    stop,
    /** Starts the services of the role, and retries while its port can't be used. */
    start,
    /** Stops the services and forgets the role while the store is sealed. Nothing starts until `unlock`. */
    async lock(): Promise<void> {
      isLocked = true;
      role = disabled;
      await stop();
    },
    /** Reads the role again; `start` starts its services. */
    unlock(): void {
      isLocked = false;
      role = readRole();
      store.capture = captureOf(role);
      isBegun = false;
      // Begins the epoch before anything else is written; `start` retries after a failure.
      beginEpoch().catch(() => undefined);
    },
  };
}
