import { createHash, randomBytes } from 'node:crypto';
import type { ServiceName, SignInMethod } from '@gatehouse/api-types/console/service';
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { EnvironmentConfig } from '#config/config.ts';
import type { ProblemInit, SignedOutReason } from '#ground/problem.ts';
import { bigint, type Database } from '#store/database.ts';
import type { SessionRow } from '#store/schema.ts';
import { countedAccount, idsOfAccount, placesOfAccount, type SignInPlace } from './people.ts';
import type { Revocations } from './revocations.ts';
import { sessionLimits, type ActiveSession } from './session.ts';

/** Who signed in, and where. */
export interface NewSession {
  readonly personId: string;
  readonly personName: string;
  readonly loginName: string;
  readonly environment: string;
  readonly service: ServiceName;
  readonly method: SignInMethod;
  /** When the service's token ends, in milliseconds since the epoch; null if the service doesn't say. */
  readonly tokenExpiresAt: number | null;
  readonly address: string;
  readonly client: string;
}

/** The session of a request, or why there is none. */
export type Resolved =
  | { readonly session: ActiveSession; readonly reason?: undefined }
  | { readonly session?: undefined; readonly reason: NonNullable<ProblemInit['signedOut']> };

/** What a session is read for. */
interface SessionUse {
  /** Whether the user acted, which restarts the idle time. */
  readonly activity: boolean;
  /** Whose page asks, as in `personHeader`. Another user's session is left unchanged. */
  readonly page?: string | readonly string[] | undefined;
}

/** A user's change of the password of the account that a session is connected with. */
export interface PasswordChange {
  readonly sessionId: string;
  readonly environment: string;
  /** ID at the environment's access controller. */
  readonly accountId: string;
}

/** Which sessions of an account are ended; all of them unless given. */
interface EndedSessions {
  /** A session that isn't ended. */
  readonly except?: string;
  /** Sessions that began later aren't ended. */
  readonly until?: number | undefined;
}

/** The sessions of all users. */
export interface Sessions {
  /** Starts a session with a new random secret, the latest 200 of each user. @returns the secret, which only the cookie keeps, and the session */
  begin(init: NewSession): Promise<{ readonly secret: string; readonly session: ActiveSession }>;
  /** The session of a cookie's value. A session that is idle or past its end is ended by this. */
  resolve(secret: string | undefined, use: SessionUse): Promise<Resolved>;
  /** Active sessions of one user, the latest activity first. */
  ofPerson(personId: string): Promise<readonly SessionRow[]>;
  /**
   * Active sessions of a service's account, whichever service that has the same accounts it signed in at, the latest
   * activity first.
   */
  ofAccount(place: SignInPlace, accountId: string): Promise<readonly SessionRow[]>;
  /** Ends one session and queues its tokens for revocation. @returns whether it was active */
  end(id: string, reason: Exclude<SignedOutReason, 'none'>): Promise<boolean>;
  /** Ends sessions, except one. @returns how many were active */
  endOthers(rows: readonly SessionRow[], except: string): Promise<number>;
  /**
   * Ends the sessions of a service's account, whichever service that has the same accounts it signed in at. If that
   * fails, each sweep tries again.
   * @returns those that were active
   */
  endOfAccount(place: SignInPlace, accountId: string, which?: EndedSessions): Promise<readonly SessionRow[]>;
  /**
   * Ends them because the account has another password. The session that is changing it is spared once.
   * @see changingPassword
   */
  endOfPassword(
    place: SignInPlace,
    accountId: string,
    which?: Pick<EndedSessions, 'until'>,
  ): Promise<readonly SessionRow[]>;
  /**
   * Changes the password of a session's own account. Ends the session if the password was also changed in another way
   * during the work, like `endOfAccount`.
   * @returns whether the session continues
   */
  changingPassword(change: PasswordChange, work: () => Promise<void>): Promise<boolean>;
  /**
   * Extends the session, within its absolute limit, because the token of the service at which the user signed in was
   * renewed. Other services' tokens change nothing.
   */
  prolong(
    id: string,
    token: { readonly environment: string; readonly service: ServiceName; readonly expiresAt: number },
  ): Promise<void>;
  /**
   * Ends all sessions that are idle or past their end or couldn't be ended before, and deletes those that ended long
   * ago.
   */
  sweep(): Promise<void>;
}

const none: Resolved = { reason: 'none' };

/** Most sessions in a process's memory. */
const memoryLimit = 10_000;

/** Most sessions of a user. A further sign-in ends the one whose last activity is longest ago. */
const mostOwn = 200;

/**
 * Most secrets that are looked up at once without a session in memory: a stranger who makes some up must leave
 * connections to the database for users.
 */
const unknownAtOnce = 3;

/** @param onEnd called for each session that this process ends */
export function sessions(
  database: Database,
  clock: Clock,
  environments: readonly EnvironmentConfig[],
  revocations: Revocations,
  onEnd: (id: string) => void,
): Sessions {
  const { build } = database;
  /** Sessions by the hash of their secret, with the monotonic time of the read. */
  const read = new LRUCache<string, { readonly row: SessionRow; readonly at: number }>({
    max: memoryLimit,
    dispose: ({ row }) => {
      hashes.delete(row.id);
    },
  });
  /** The hashes of their secrets, by ID. */
  const hashes = new Map<string, string>();
  const ofUnknown = pLimit(unknownAtOnce);
  /** The latest activity by session ID, if it isn't stored yet. */
  const activity = new LRUCache<string, number>({ max: memoryLimit });

  const bySecret = build.selectFrom('session').selectAll().where('secret_hash', '=', '').compile();
  /** Counts changes, because what was read before one must not be remembered after it. */
  let changes = 0;
  const load = async (hash: string): Promise<SessionRow | undefined> => {
    const known = read.get(hash);
    if (known !== undefined && clock.monotonic() - known.at < database.freshForMs) return known.row;
    const before = changes;
    const find = () => database.get(withParameters(bySecret, hash));
    const row = await (known === undefined ? ofUnknown(find) : find());
    if (row === undefined) read.delete(hash);
    else if (changes === before) {
      read.set(hash, { row, at: clock.monotonic() });
      hashes.set(row.id, hash);
    }
    return row;
  };
  /** Users' changes of their own passwords in progress. */
  const changing = new Set<PasswordChange & { changes: number }>();
  const forget = (id: string): void => {
    changes += 1;
    read.delete(hashes.get(id) ?? '');
  };
  const lastActive = (row: SessionRow): number => Math.max(row.last_active_at, activity.get(row.id) ?? 0);
  const endOf = (row: SessionRow, now: number): 'idle' | 'expired' | undefined => {
    if (now >= row.expires_at) return 'expired';
    return now - lastActive(row) >= sessionLimits.idle ? 'idle' : undefined;
  };

  const end = async (id: string, reason: string): Promise<boolean> => {
    const now = clock.now();
    const [ended] = await database.batch([
      build
        .updateTable('session')
        .set({ ended: reason, ended_at: now })
        .where('id', '=', id)
        .where('ended', 'is', null)
        .compile(),
      ...revocations.queueAll(id),
    ]);
    activity.delete(id);
    forget(id);
    onEnd(id);
    revocations.wake();
    return ended === 1;
  };

  /** Ends of sessions that the next sweep tries again. */
  const failedEnds = new Set<() => Promise<unknown>>();
  /** Ends sessions by `first`. If that fails, each sweep runs `later` until it succeeds. */
  const endSurely = async <Ended>(
    first: () => Promise<Ended>,
    later: () => Promise<Ended> = first,
  ): Promise<Ended> => {
    try {
      return await first();
    } catch (error) {
      failedEnds.add(later);
      throw error;
    }
  };

  const changingOf = (place: SignInPlace, accountId: string) => {
    const ids = idsOfAccount(placesOfAccount(environments, place), accountId);
    return [...changing].filter((one) => ids.includes(`${one.environment}/access/${one.accountId}`));
  };

  const unended = () => build.selectFrom('session').selectAll().where('ended', 'is', null);
  const withAccount = (place: SignInPlace, accountId: string) => {
    const places = placesOfAccount(environments, place);
    const atAccess = places.flatMap(({ environment, service }) =>
      service === 'access' ? [environment] : [],
    );
    return unended().where((eb) =>
      eb.or([
        eb('person_id', 'in', [...idsOfAccount(places, accountId)]),
        eb(
          'id',
          'in',
          eb
            .selectFrom('connection')
            .select('session_id')
            .where('service', '=', 'access')
            .where('account_id', '=', accountId)
            .where('environment', 'in', [...atAccess, '']),
        ),
      ]),
    );
  };
  const isActive = (row: SessionRow): boolean => endOf(row, clock.now()) === undefined;
  const active = async (query: ReturnType<typeof unended>): Promise<readonly SessionRow[]> => {
    const rows = await database.all(query.compile());
    return rows
      .filter(isActive)
      .map((row) => Object.assign(row, { last_active_at: lastActive(row) }))
      .sort((a, b) => b.last_active_at - a.last_active_at);
  };

  const endAllOf = async (
    place: SignInPlace,
    accountId: string,
    except: readonly (string | undefined)[],
    until = Number.MAX_SAFE_INTEGER,
  ): Promise<readonly SessionRow[]> => {
    const rows = await database.all(
      withAccount(place, accountId).where('signed_in_at', '<=', until).compile(),
    );
    const others = rows.filter(({ id }) => !except.includes(id));
    const ended = others.filter(isActive);
    for (const { id } of others) await end(id, 'ended');
    return ended;
  };
  const endAllSurely = (...[place, accountId, except, until]: Parameters<typeof endAllOf>) => {
    // Without `until`, the first attempt ignores the times, because the clock may have been set back since. Later ones
    // must not end what has begun in the meantime.
    const later = until ?? clock.now();
    return endSurely(
      () => endAllOf(place, accountId, except, until),
      () => endAllOf(place, accountId, except, later),
    );
  };

  const touch = async (row: SessionRow, now: number): Promise<number> => {
    const latest = Math.max(now, lastActive(row));
    activity.set(row.id, latest);
    if (latest - row.last_active_at >= sessionLimits.activityWrite) {
      row.last_active_at = latest;
      await database.run(
        build
          .updateTable('session')
          .set({ last_active_at: latest })
          .where('id', '=', row.id)
          .where('ended', 'is', null)
          .where('last_active_at', '<', latest)
          .compile(),
      );
    }
    return latest;
  };

  return {
    async begin(init) {
      const now = clock.now();
      const secret = randomBytes(32).toString('base64url');
      const row: SessionRow = {
        id: `se_${randomBase62(16)}`,
        secret_hash: hashOf(secret),
        person_id: init.personId,
        person_name: init.personName,
        login_name: init.loginName,
        environment: init.environment,
        service: init.service,
        method: init.method,
        signed_in_at: now,
        last_active_at: now,
        expires_at: Math.min(now + sessionLimits.absolute, init.tokenExpiresAt ?? Infinity),
        address: init.address,
        client: init.client,
        ended: null,
        ended_at: null,
      };
      await database.run(build.insertInto('session').values(row).compile());
      const own = await active(unended().where('person_id', '=', init.personId));
      for (const { id } of own.slice(mostOwn)) await end(id, 'ended');
      return { secret, session: activeSession(environments, row, now) };
    },
    async resolve(secret, use) {
      if (secret === undefined || !/^[A-Za-z0-9_-]{43}$/.test(secret)) return none;
      const row = await load(hashOf(secret));
      if (row === undefined) return none;
      if (row.ended !== null) return { reason: row.ended as SignedOutReason };
      const now = clock.now();
      const over = endOf(row, now);
      if (over !== undefined) {
        await end(row.id, over);
        return { reason: over };
      }
      if (use.page !== undefined && use.page !== encodeURI(row.person_id)) return { reason: 'other-person' };
      return {
        session: activeSession(environments, row, use.activity ? await touch(row, now) : lastActive(row)),
      };
    },
    ofPerson: (personId) => active(unended().where('person_id', '=', personId)),
    ofAccount: (place, accountId) => active(withAccount(place, accountId)),
    end,
    async endOthers(rows, except) {
      const others = rows.filter(({ id }) => id !== except);
      const ended = await Promise.all(others.map(({ id }) => end(id, 'ended')));
      return ended.filter(Boolean).length;
    },
    endOfAccount(place, accountId, { except, until } = {}) {
      for (const one of changingOf(place, accountId)) if (one.sessionId !== except) one.changes = Infinity;
      return endAllSurely(place, accountId, [except], until);
    },
    endOfPassword(place, accountId, { until } = {}) {
      const own = changingOf(place, accountId);
      for (const one of own) one.changes += 1;
      return endAllSurely(
        place,
        accountId,
        own.map(({ sessionId }) => sessionId),
        until,
      );
    },
    async changingPassword(change, work) {
      const one = { ...change, changes: 0 };
      changing.add(one);
      let expected = 0;
      try {
        await work();
        expected = 1;
      } finally {
        changing.delete(one);
        if (one.changes > expected) await endSurely(() => end(one.sessionId, 'ended'));
      }
      return one.changes <= expected;
    },
    async prolong(id, { environment, service, expiresAt }) {
      const limit = sql<number>`signed_in_at + ${bigint(sessionLimits.absolute)}`;
      const until = sql<number>`(case when ${limit} < ${bigint(expiresAt)} then ${limit} else ${bigint(expiresAt)} end)`;
      await database.run(
        build
          .updateTable('session')
          .set({ expires_at: until })
          .where('id', '=', id)
          .where('environment', '=', environment)
          .where('service', '=', service)
          .where('ended', 'is', null)
          .where('expires_at', '<', expiresAt)
          .compile(),
      );
      forget(id);
    },
    async sweep() {
      for (const again of failedEnds) {
        await again();
        failedEnds.delete(again);
      }
      const now = clock.now();
      const over = await database.all(
        unended()
          .where((eb) =>
            eb.or([eb('expires_at', '<=', now), eb('last_active_at', '<=', now - sessionLimits.idle)]),
          )
          .compile(),
      );
      for (const row of over) {
        const reason = endOf(row, now);
        if (reason !== undefined) await end(row.id, reason);
      }
      await database.batch([
        ...revocations.queueLeftOver(),
        build
          .deleteFrom('session')
          .where('ended_at', '<', now - sessionLimits.remembered)
          .compile(),
      ]);
    },
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function activeSession(
  environments: readonly EnvironmentConfig[],
  row: SessionRow,
  lastActiveAt: number,
): ActiveSession {
  return {
    id: row.id,
    personId: row.person_id,
    account: countedAccount(environments, row.person_id),
    personName: row.person_name,
    loginName: row.login_name,
    environment: row.environment,
    service: row.service as ServiceName,
    method: row.method as SignInMethod,
    signedInAt: row.signed_in_at,
    lastActiveAt,
    expiresAt: row.expires_at,
  };
}
