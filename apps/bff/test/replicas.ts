import { testClock, type TestClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, expect } from 'vitest';
import { ProblemError } from '#ground/problem.ts';
import { connections, type Connections } from '#session/connections.ts';
import { preferences, type Preferences } from '#session/preferences.ts';
import { revocations, type Revocations } from '#session/revocations.ts';
import { sessions, type NewSession, type Sessions } from '#session/sessions.ts';
import { signInLimits, type SignInLimits } from '#session/sign-in-limits.ts';
import { tokenSeal, type TokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import { openPostgres } from '#store/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import type { Postgres } from './postgres.ts';

/** Opens the same database several times, as replicas do. */
type Opener = (folder: TemporaryFolder) => Promise<() => Promise<Database>>;

/** The kinds of database that replicas can share; without PostgreSQL if the machine has none. */
export function replicaKinds(postgres: Postgres | undefined): [kind: string, opener: Opener][] {
  const kinds: [string, Opener][] = [
    ['SQLite', async (folder) => async () => openSqlite(folder.file('console.db'))],
  ];
  if (postgres === undefined) return kinds;
  return [
    ...kinds,
    [
      'PostgreSQL',
      async () => {
        const url = await postgres.database();
        return () => openPostgres(url);
      },
    ],
  ];
}

/** A user's session before it begins. */
export const person: NewSession = {
  personId: 'test/access/u_1',
  personName: 'Ada',
  loginName: 'ada',
  environment: 'test',
  service: 'access',
  method: 'password',
  tokenExpiresAt: null,
  address: '127.0.0.1',
  client: 'Chromium 156 on Linux',
};
/** What a service grants the user: its n-th token. */
export const granted = (n: number) => ({
  token: `at_${n}_s1x`,
  tokenId: `at_${n}`,
  accountId: 'u_1',
  accountName: 'Ada',
  loginName: 'ada',
  expiresAt: null,
});

export interface Replica {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly connections: Connections;
  readonly revocations: Revocations;
  readonly limits: SignInLimits;
  readonly preferences: Preferences;
}

/** The service that replicas revoke tokens at. */
export interface TestService {
  isDown: boolean;
  /** If set, the service answers late: each function lets it answer one call. */
  answers: (() => void)[] | undefined;
  /** The revoked tokens. */
  readonly revoked: string[];
}

/** Two consoles with the same database. The second sends no heartbeat during a test. */
export interface TwoReplicas extends AsyncDisposable {
  readonly one: Replica;
  readonly two: Replica;
  readonly clock: TestClock;
  readonly seal: TokenSeal;
  readonly service: TestService;
}

/** Starts the parts of two consoles that share a database. */
async function startReplicas(opener: Opener): Promise<TwoReplicas> {
  const folder = temporaryFolder();
  const clock = testClock();
  const service: TestService = { isDown: false, answers: undefined, revoked: [] };
  const open = await opener(folder);
  const keys = keyRingFromFile(folder.file('keys.json'));
  const seal = tokenSeal(
    () => keys,
    clock,
    () => 'https://service.example',
  );
  const replica = async (heartbeatMs: number): Promise<Replica> => {
    const database = await open();
    const queue = revocations({
      database,
      clock,
      seal,
      log: silentLog,
      heartbeatMs,
      serviceOf: (_environment, name) => ({
        async revoke(tokenId) {
          const { promise, resolve } = Promise.withResolvers<void>();
          if (name !== 'modules' && service.answers?.push(resolve) !== undefined) await promise;
          if (service.isDown) throw new ProblemError('service-unavailable', 'down');
          service.revoked.push(tokenId);
        },
      }),
    });
    const kept = connections(database, clock, seal, queue);
    return {
      database,
      revocations: queue,
      connections: kept,
      sessions: sessions(database, clock, [], queue, (id) => kept.forget(id)),
      limits: signInLimits(database, clock, []),
      preferences: preferences(database),
    };
  };
  const [one, two] = await Promise.all([replica(10), replica(3_600_000)]);
  return {
    one,
    two,
    clock,
    seal,
    service,
    async [Symbol.asyncDispose]() {
      for (const answer of service.answers ?? []) answer();
      for (const { revocations: queue, database } of [one, two]) {
        await queue.close();
        await database.close();
      }
      folder[Symbol.dispose]();
    },
  };
}

/** Starts two replicas for each test of a group. @returns those of the current test */
export function replicasOfEach(opener: Opener): TwoReplicas {
  const at = {} as TwoReplicas;
  beforeEach(async () => {
    Object.assign(at, await startReplicas(opener));
  });
  afterEach(() => at[Symbol.asyncDispose]());
  return at;
}

/** A database whose reads end only after what happens during them. */
export function slowReads(database: Database) {
  let held: PromiseWithResolvers<void> | undefined;
  let isRead = false;
  const slow: Database = {
    ...database,
    async get(query) {
      const row = await database.get(query);
      isRead = true;
      await held?.promise;
      return row;
    },
  };
  const during = async (read: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> => {
    const waiting = Promise.withResolvers<void>();
    held = waiting;
    isRead = false;
    const early = read();
    await expect.poll(() => isRead).toBe(true);
    held = undefined;
    await change();
    waiting.resolve();
    await early;
  };
  return { slow, during };
}
