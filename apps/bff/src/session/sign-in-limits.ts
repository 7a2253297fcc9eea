import { createHash } from 'node:crypto';
import type { Credentials } from '@gatehouse/api-types/console/session';
import { networkOf } from '@gatehouse/service-kit/client-address';
import type { Clock } from '@gatehouse/service-kit/clock';
import { rateLimiter } from '@gatehouse/service-kit/rate-limit';
import { sql } from 'kysely';
import { isSameServer, type EnvironmentConfig } from '#config/config.ts';
import { ProblemError } from '#ground/problem.ts';
import { bigint, type Database } from '#store/database.ts';
import { accountStore, loginNameKey, type SignInPlace } from './people.ts';

/** What attempts are counted by: their address, or the session if only its owner can make them. */
export type AttemptBy = string | { readonly session: string };

/**
 * Delays guesses: increasingly by account and address together, and more widely by address. Nothing is ever locked:
 * after the delay, or from another address, a user gets in. The address's delay doesn't affect accounts that signed in
 * from it before. Source: OWASP ASVS 5.0, 6.3.1, and the Authentication cheat sheet.
 */
export type SignInLimits = ReturnType<typeof signInLimits>;

/** An attempt that counts as failed. */
interface ReservedAttempt {
  /** The attempt succeeded, which ends the account's delay from this address. */
  succeed(): Promise<void>;
  /** The service didn't judge the attempt, for example because it wasn't reached, so it doesn't count. */
  undo(): Promise<void>;
}

interface Ladder {
  /** Attempts without a delay. */
  readonly free: number;
  /** Delays after the further attempts, in milliseconds. The last one repeats. */
  readonly delays: readonly number[];
}

const ofAccount: Ladder = { free: 4, delays: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000] };
const ofAddress: Ladder = { free: 29, delays: [500, 1_000, 2_000, 4_000] };
/** Time without an attempt after which attempts are forgotten, in milliseconds. */
const memory = 15 * 60_000;
/** Recorded attempts of one address, and of one account that signed in from it before. */
const recordLimit = { burst: 60, perSecond: 2 };
/** How long an account is known to have signed in from an address, in milliseconds. */
const knownFor = 90 * 24 * 3_600_000;
/** Prefix of the keys of accounts known at an address. */
const knownMark = 'known ';
/**
 * A delay that ends later than this, in milliseconds from now, was set before the clock was set back, and no longer
 * counts. This is the longest delay, and a minute by which the clocks of replicas may differ.
 */
const mostAhead = 2 * 60_000;

/** @param environments the configured environments */
export function signInLimits(database: Database, clock: Clock, environments: readonly EnvironmentConfig[]) {
  const { build } = database;
  const recorded = rateLimiter(recordLimit, clock);
  const keysOf = (account: string, by: AttemptBy) => {
    if (typeof by === 'object') return { account: hash('session', account, by.session), others: undefined };
    const from = networkOf(by);
    const own = hash('account', account, from);
    return { account: own, others: { address: hash('address', from), known: knownMark + own } };
  };
  /** The address's key, unless its delay doesn't affect the account. */
  const addressOf = async ({ others }: ReturnType<typeof keysOf>): Promise<string | undefined> => {
    if (others === undefined) return undefined;
    const known = build.selectFrom('sign_in_attempt').select('key').where('key', '=', others.known);
    return (await database.get(known.compile())) === undefined ? others.address : undefined;
  };

  const take = async (key: string, ladder: Ladder): Promise<number> => {
    const now = clock.now();
    const failures = sql<number>`(case when sign_in_attempt.last_at < ${bigint(now - memory)} then 1 else sign_in_attempt.failures + 1 end)`;
    const steps = ladder.delays.map((delay, step) =>
      step === ladder.delays.length - 1
        ? sql`else ${sql.lit(delay)}`
        : sql`when ${failures} = ${sql.lit(ladder.free + step + 1)} then ${sql.lit(delay)}`,
    );
    const delay = sql<number>`(case when ${failures} <= ${sql.lit(ladder.free)} then 0 ${sql.join(steps, sql` `)} end)`;
    const taken = await database.run(
      build
        .insertInto('sign_in_attempt')
        .values({ key, failures: 1, next_allowed_at: now, last_at: now })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ failures, next_allowed_at: sql`${bigint(now)} + ${delay}`, last_at: now })
            .where((eb) =>
              eb.or([
                eb('sign_in_attempt.next_allowed_at', '<=', now),
                eb('sign_in_attempt.next_allowed_at', '>', now + mostAhead),
              ]),
            ),
        )
        .compile(),
    );
    if (taken > 0) return 0;
    const row = await database.get(
      build.selectFrom('sign_in_attempt').select('next_allowed_at').where('key', '=', key).compile(),
    );
    return Math.max(1, (row?.next_allowed_at ?? now) - now);
  };
  /** Takes an attempt back. The delay that it started stays, unless the attempt wasn't judged. */
  const giveBack = (key: string, notJudged: boolean) =>
    build
      .updateTable('sign_in_attempt')
      .set({ failures: sql`failures - 1`, ...(notJudged && { next_allowed_at: clock.now() }) })
      .where('key', '=', key)
      .where('failures', '>', 0)
      .compile();

  return {
    /**
     * The account that attempts count for, however its name is written and at whichever service they are made. Each token
     * is one: tokens can't be guessed, and made-up ones must not delay those that others have. A session's are one.
     */
    accountOf(place: SignInPlace, credentials: Credentials, by: AttemptBy): string {
      const name =
        credentials.method === 'token' && typeof by === 'string' ? credentials.token : nameIn(credentials);
      return JSON.stringify([accountStore(environments, place), credentials.method, name]);
    },
    /**
     * A second factor's code, which is guessed at one service: another one that asks for none may accept the same
     * password.
     * @returns undefined for credentials without one
     */
    codeOf({ environment, service }: SignInPlace, credentials: Credentials): string | undefined {
      if (credentials.method !== 'password' || credentials.two_factor_code === undefined) return undefined;
      const own = environments.find(({ id }) => id === environment)?.services[service];
      // Environments may name the same server.
      const first = environments.find(({ services }) => isSameServer(own, services[service]));
      return JSON.stringify([first?.id ?? environment, service, 'code', nameIn(credentials)]);
    },
    /**
     * Counts an attempt as failed before it is made, so that concurrent attempts can't slip through together.
     * @param code what the attempt also counts for
     * @throws ProblemError `rate-limited` if it comes too early
     */
    async reserve(account: string, by: AttemptBy, code?: string): Promise<ReservedAttempt> {
      const keys = keysOf(account, by);
      const counted: string[] = [];
      for (const key of [keys.account, ...(code === undefined ? [] : [keysOf(code, by).account])]) {
        const wait = await take(key, ofAccount);
        if (wait > 0) {
          await database.batch(counted.map((one) => giveBack(one, true)));
          throw tooEarly(wait);
        }
        counted.push(key);
      }
      const address = await addressOf(keys);
      const addressWait = address === undefined ? 0 : await take(address, ofAddress);
      if (addressWait > 0) {
        await database.batch(counted.map((one) => giveBack(one, true)));
        throw tooEarly(addressWait);
      }
      return {
        async succeed() {
          const now = clock.now();
          await database.batch([
            build.deleteFrom('sign_in_attempt').where('key', 'in', counted).compile(),
            ...(address === undefined ? [] : [giveBack(address, false)]),
            ...(keys.others === undefined
              ? []
              : [
                  build
                    .insertInto('sign_in_attempt')
                    .values({ key: keys.others.known, failures: 0, next_allowed_at: 0, last_at: now })
                    .onConflict((conflict) => conflict.column('key').doUpdateSet({ last_at: now }))
                    .compile(),
                ]),
          ]);
        },
        async undo() {
          const all = [...counted, ...(address === undefined ? [] : [address])];
          await database.batch(all.map((key) => giveBack(key, true)));
        },
      };
    },
    /**
     * Checks whether an attempt would come too early, without counting it. Of concurrent attempts a limited number
     * passes, because each is recorded.
     * @throws ProblemError `rate-limited` if it would
     */
    async check(account: string, by: AttemptBy): Promise<void> {
      const keys = keysOf(account, by);
      const address = await addressOf(keys);
      const now = clock.now();
      const rows = await database.all(
        build
          .selectFrom('sign_in_attempt')
          .select('next_allowed_at')
          .where('key', 'in', [keys.account, ...(address === undefined ? [] : [address])])
          .where('next_allowed_at', '>', now)
          .where('next_allowed_at', '<=', now + mostAhead)
          .compile(),
      );
      const wait = Math.max(0, ...rows.map((row) => row.next_allowed_at - now));
      if (wait > 0) throw tooEarly(wait);
      const decision = recorded.take(address ?? keys.account);
      if (!decision.allowed) throw tooEarly(decision.retryAfterMs);
    },
    /**
     * Counts an attempt at an unknown environment, service or method against its address.
     * @throws ProblemError `rate-limited` if it comes too early
     */
    async misdirected(address: string): Promise<void> {
      const wait = await take(hash('address', networkOf(address)), ofAddress);
      if (wait > 0) throw tooEarly(wait);
    },
    /** Deletes outdated attempts. */
    async sweep(): Promise<void> {
      const now = clock.now();
      await database.run(
        build
          .deleteFrom('sign_in_attempt')
          .where('last_at', '<', now - memory)
          .where((eb) => eb.or([eb('key', 'not like', `${knownMark}%`), eb('last_at', '<', now - knownFor)]))
          .compile(),
      );
    },
  };
}

function tooEarly(waitMs: number): ProblemError {
  const seconds = Math.ceil(waitMs / 1000);
  return new ProblemError(
    'rate-limited',
    `Too many sign-in attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );
}

function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function nameIn(credentials: Credentials): string {
  return credentials.method === 'password' ? loginNameKey(credentials.login_name) : '';
}
