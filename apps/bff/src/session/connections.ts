import type { ServiceName, SignInMethod } from '@gatehouse/api-types/console/service';
import type { Clock } from '@gatehouse/service-kit/clock';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { withParameters } from '@gatehouse/service-kit/store';
import { LRUCache } from 'lru-cache';
import type { EnvironmentConfig } from '#config/config.ts';
import type { Database } from '#store/database.ts';
import type { ConnectionRow } from '#store/schema.ts';
import type { GrantedToken, ServiceToken } from '#upstreams/granted-token.ts';
import { accountStore } from './people.ts';
import type { Revocations } from './revocations.ts';
import { renewSeals, type TokenSeal } from './token-seal.ts';

/** A stored token. */
export interface KeptToken extends ServiceToken {
  /**
   * When the token was stored or last renewed, and when it ends, in milliseconds since the epoch; null if it doesn't
   * end.
   */
  readonly since: number;
  readonly expiresAt: number | null;
}

/** A connection with whether its token can be decrypted, instead of the token. */
export interface ToldConnection extends Omit<ConnectionRow, 'sealed_token'> {
  readonly unreadable: boolean;
}

/** The tokens of services, by session: a session is a set of tokens. */
export type Connections = ReturnType<typeof connections>;

/** Whether a connection was made with the password of another one's account. */
export function hasPasswordOf(
  environments: readonly EnvironmentConfig[],
  one: ToldConnection,
  other: ToldConnection,
): boolean {
  return (
    one.method === 'password' &&
    one.login_name.toLowerCase() === other.login_name.toLowerCase() &&
    accountStore(environments, one) === accountStore(environments, other)
  );
}

/** Most connections in a process's memory. */
const memoryLimit = 10_000;

export function connections(database: Database, clock: Clock, seal: TokenSeal, revocations: Revocations) {
  const { build } = database;
  /** Rows as last read, each with its decrypted token, so that a request costs no decryption. */
  const read = new LRUCache<string, { row: ConnectionRow; at: number; opened: KeptToken }>({
    max: memoryLimit,
  });
  const byPlace = build
    .selectFrom('connection')
    .selectAll()
    .where('session_id', '=', '')
    .where('environment', '=', '')
    .where('service', '=', '')
    .compile();
  const keyOf = (sessionId: string, environment: string, service: string): string =>
    `${sessionId}/${environment}/${service}`;
  /** Counts changes, because a state read before one must not be remembered after it. */
  let changes = 0;
  const discard = (key: string): void => {
    changes += 1;
    read.delete(key);
  };
  /** Changes a connection, and discards what was read before or during the change. */
  const change = async (
    [sessionId, environment, service]: readonly [string, string, string],
    work: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await work();
    } finally {
      discard(keyOf(sessionId, environment, service));
    }
  };
  const place = (sessionId: string, environment: string, service: string) =>
    ({ session_id: sessionId, environment, service }) as const;
  const update = ({ session_id, environment, service }: ReturnType<typeof place>) =>
    build.updateTable('connection').where((eb) => eb.and({ session_id, environment, service }));

  const denial = (where: ReturnType<typeof place>) =>
    build
      .insertInto('no_access')
      .values(where)
      .onConflict((conflict) => conflict.doNothing())
      .compile();
  const admission = (where: ReturnType<typeof place>) =>
    build
      .deleteFrom('no_access')
      .where((eb) => eb.and(where))
      .compile();
  const denials = async (sessionId: string): Promise<ReadonlySet<string>> => {
    const rows = await database.all(
      build
        .selectFrom('no_access')
        .select(['environment', 'service'])
        .where('session_id', '=', sessionId)
        .compile(),
    );
    return new Set(rows.map(({ environment, service }) => `${environment}/${service}`));
  };

  return {
    /** Stores a token, and queues the service's previous one for revocation. */
    async keep(
      sessionId: string,
      environment: string,
      service: ServiceName,
      granted: GrantedToken,
      method: SignInMethod = 'password',
    ): Promise<void> {
      const where = place(sessionId, environment, service);
      const row: ConnectionRow = {
        ...where,
        account_id: granted.accountId,
        account_name: granted.accountName,
        login_name: granted.loginName,
        token_id: granted.tokenId,
        sealed_token: seal.seal(granted.token, { sessionId, environment, service }),
        connected_at: clock.now(),
        expires_at: granted.expiresAt,
        refused: 0,
        method,
        confirmed_until: null,
      };
      await change([sessionId, environment, service], async () => {
        // If two sign in at once, the later one finds the earlier one's row, and starts over by replacing it.
        for (let kept = 0; kept === 0;) {
          const changed = await database.batch([
            ...revocations.queueOne(where, granted.tokenId),
            granted.hasRole === false ? denial(where) : admission(where),
            build
              .insertInto('connection')
              .values(row)
              .onConflict((conflict) => conflict.doNothing())
              .compile(),
          ]);
          kept = changed.at(-1) ?? 1;
        }
      });
      revocations.wake();
    },
    /** Stores that the account that tried to connect has no role in the service, unless another one is connected. */
    async deny(sessionId: string, environment: string, service: ServiceName): Promise<void> {
      if ((await database.get(withParameters(byPlace, sessionId, environment, service))) === undefined)
        await database.run(denial(place(sessionId, environment, service)));
    },
    /** Stores that the connected account has a role again. */
    async admit(sessionId: string, environment: string, service: ServiceName): Promise<void> {
      await database.run(admission(place(sessionId, environment, service)));
    },
    /** The services, as `environment/service`, in which the session's accounts have no role. */
    denials,
    /**
     * The token for calls of a service. `no-access`: the account has no role there. `refused`: the service no longer
     * accepted it. `unreadable`: it can't be decrypted, because its key is gone or it was for another address of the
     * service.
     */
    async token(
      sessionId: string,
      environment: string,
      service: ServiceName,
    ): Promise<KeptToken | 'none' | 'no-access' | 'refused' | 'unreadable'> {
      const key = keyOf(sessionId, environment, service);
      const known = read.get(key);
      if (known !== undefined && clock.monotonic() - known.at < database.freshForMs) {
        return known.opened;
      }
      const before = changes;
      const row = await database.get(withParameters(byPlace, sessionId, environment, service));
      if (row === undefined) {
        read.delete(key);
        return (await denials(sessionId)).has(`${environment}/${service}`) ? 'no-access' : 'none';
      }
      if (row.refused !== 0) return 'refused';
      const unchanged =
        known?.row.sealed_token === row.sealed_token && known.row.expires_at === row.expires_at;
      const usable = unchanged ? known.opened : opened(seal, row);
      // The token was changed, moved here from another row, encrypted with a key that is gone, or for another address.
      // Signing in again helps.
      if (usable === undefined) return 'unreadable';
      if (changes === before) read.set(key, { row, at: clock.monotonic(), opened: usable });
      return usable;
    },
    /** Marks a token as refused by the service, unless the connection already has another token. */
    async refuse(
      sessionId: string,
      environment: string,
      service: ServiceName,
      tokenId: string,
    ): Promise<void> {
      await change([sessionId, environment, service], () =>
        database.run(
          update(place(sessionId, environment, service))
            .set({ refused: 1 })
            .where('token_id', '=', tokenId)
            .compile(),
        ),
      );
    },
    /** Stores a renewed token's end, unless the connection already has another token. */
    async renewed(
      sessionId: string,
      environment: string,
      service: ServiceName,
      { tokenId, expiresAt }: { readonly tokenId: string; readonly expiresAt: number },
    ): Promise<void> {
      await change([sessionId, environment, service], () =>
        database.run(
          update(place(sessionId, environment, service))
            .set({ expires_at: expiresAt })
            .where('token_id', '=', tokenId)
            .compile(),
        ),
      );
    },
    /**
     * Stores that the passwords or tokens of connections were entered again, unless they already belong to other accounts.
     */
    async confirm(confirmed: readonly ToldConnection[], until: number): Promise<void> {
      await database.batch(
        confirmed.map(({ account_id, ...at }) =>
          update(at).set({ confirmed_until: until }).where('account_id', '=', account_id).compile(),
        ),
      );
    },
    /** Deletes the token and queues it for revocation. */
    async drop(sessionId: string, environment: string, service: ServiceName): Promise<void> {
      await change([sessionId, environment, service], () =>
        database.batch([
          ...revocations.queueOne(place(sessionId, environment, service)),
          admission(place(sessionId, environment, service)),
        ]),
      );
      revocations.wake();
    },
    /** A session's connections, without their tokens. */
    async of(sessionId: string): Promise<readonly ToldConnection[]> {
      const rows = await database.all(
        build.selectFrom('connection').selectAll().where('session_id', '=', sessionId).compile(),
      );
      return rows.map((row) => {
        const { sealed_token: _, ...told } = row;
        const key = keyOf(row.session_id, row.environment, row.service);
        const isRead = read.get(key)?.row.sealed_token === row.sealed_token;
        // What is judged by this answer isn't done with an earlier token.
        if (!isRead) discard(key);
        return { ...told, unreadable: !isRead && opened(seal, row) === undefined };
      });
    },
    /** Discards the process's memory of an ended session. */
    forget(sessionId: string): void {
      changes += 1;
      for (const [key, { row }] of read) if (row.session_id === sessionId) read.delete(key);
    },
    /** Encrypts all tokens under older key-encryption keys again, so that those keys can be removed. */
    async renewSeals(): Promise<void> {
      for (const table of ['connection', 'revocation'] as const)
        await renewSeals(database, seal, {
          table,
          column: 'sealed_token',
          key: ['session_id', 'environment', 'service', 'token_id'],
          placeOf: ({ session_id: sessionId, environment, service }) => ({ sessionId, environment, service }),
        });
    },
  };
}

function opened(seal: TokenSeal, row: ConnectionRow): KeptToken | undefined {
  const { session_id: sessionId, environment, service } = row;
  try {
    const token = seal.open(row.sealed_token, { sessionId, environment, service });
    return {
      token,
      tokenId: row.token_id,
      accountId: row.account_id,
      since: row.connected_at,
      expiresAt: row.expires_at,
    };
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
