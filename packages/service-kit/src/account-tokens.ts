import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Account, AccountStore, Role, RoleService } from './accounts.ts';
import { newId } from './ids.ts';
import { withParameters } from './store.ts';
import type { Store } from './store.ts';
import { withoutConditions } from './write-queue.ts';

/** A service's `token` table, which stores tokens as hashes. */
export interface TokenTable {
  id: string;
  hash: string;
  account_id: string;
  password_version: number;
  description: string;
  created_time: number;
  last_used_time: number;
}

/** SQL for the table. */
export const tokenTable = `
  CREATE TABLE token (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    password_version INTEGER NOT NULL,
    description TEXT NOT NULL,
    created_time INTEGER NOT NULL,
    last_used_time INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX token_account ON token (account_id)`;

/** A token's record. Only the token's owner knows the token itself. */
export interface Token {
  readonly id: string;
  /** SHA-512 of the token, in hexadecimal. */
  readonly hash: string;
  readonly accountId: string;
  /** The account's password version when the token was issued; void under any other. */
  readonly passwordVersion: number;
  /** The owner's description of its purpose. */
  readonly description: string;
  /** Milliseconds since the epoch, like all times here. */
  readonly createdTime: number;
  /** Accurate to ten minutes. */
  readonly lastUsedTime: number;
}

/** The account that presents a token. */
export interface TokenCaller {
  readonly account: Account;
  /** The account's current role in the service. */
  readonly role: Role;
  readonly token: Token;
}

/** Stores tokens on disk as hashes. Every write fails with StoreUnavailable when the store can't be written. */
export type TokenStore = ReturnType<typeof accountTokens>;

/** Longest description of a token, in characters. */
export const maxTokenDescription = 256;

/** How old the recorded last use may get before it is updated, in milliseconds. */
const lastUsedGrain = 10 * 60 * 1000;

/** Most tokens of one user. A new token replaces the least recently used one. */
export const mostTokens = 1_000;

/** The format of a service's tokens. */
export interface TokenForm {
  /** Tokens that don't match are rejected without a lookup. */
  readonly form: RegExp;
  /** Generates a token with hundreds of random bits. */
  readonly make: () => string;
}

/** The tokens that a service issues to accounts, in the service's own store. */
export function accountTokens(store: Store<{ token: TokenTable }>, { form, make }: TokenForm) {
  const { build } = store;
  const selectByHash = build.selectFrom('token').selectAll().where('hash', '=', '').compile();

  return {
    /**
     * Issues a token, and deletes the least recently used one if the user has too many.
     * @returns the token's record, and the token itself, which is not stored
     */
    async issue(
      token: Omit<Token, 'id' | 'hash' | 'lastUsedTime'>,
    ): Promise<{ readonly record: Token; readonly token: string }> {
      const secret = make();
      const row: TokenTable = {
        id: newId('tok'),
        hash: hashOf(secret),
        account_id: token.accountId,
        password_version: token.passwordVersion,
        description: token.description,
        created_time: token.createdTime,
        last_used_time: token.createdTime,
      };
      await store.write((tx) => {
        tx.run(tx.build.insertInto('token').values(row).compile());
        const unused = tx.build
          .selectFrom('token')
          .select('id')
          .where('account_id', '=', token.accountId)
          .orderBy('last_used_time', 'desc')
          .orderBy('created_time', 'desc')
          .limit(-1)
          .offset(mostTokens);
        tx.run(tx.build.deleteFrom('token').where('id', 'in', unused).compile());
      });
      return { record: toToken(row), token: secret };
    },

    find(token: string): Token | undefined {
      if (!form.test(token)) return undefined;
      // Looked up by hash, so the lookup's duration reveals nothing about the token.
      const row = store.get(withParameters(selectByHash, hashOf(token)));
      return row === undefined ? undefined : toToken(row);
    },

    /** By ID, for requests to a download address that was issued for a token. */
    get(id: string): Token | undefined {
      const row = store.get(build.selectFrom('token').selectAll().where('id', '=', id).compile());
      return row === undefined ? undefined : toToken(row);
    },

    /** A user's tokens, newest first. */
    list: (accountId: string): Token[] =>
      store
        .all(
          build
            .selectFrom('token')
            .selectAll()
            .where('account_id', '=', accountId)
            .orderBy('created_time', 'desc')
            .orderBy('id', 'desc')
            .compile(),
        )
        .map(toToken),

    /**
     * Records a use of the token, at most once in ten minutes. The caller neither waits for the write nor fails with
     * it.
     */
    noteUse({ id, lastUsedTime }: Token, now: number): void {
      // Recording every use would turn every read into a write.
      if (now - lastUsedTime < lastUsedGrain) return;
      withoutConditions(() =>
        store.write((tx) =>
          tx.run(tx.build.updateTable('token').set({ last_used_time: now }).where('id', '=', id).compile()),
        ),
      ).catch(() => undefined);
    },

    /** Deletes one of a user's tokens by its ID or hash. @returns whether it existed */
    async remove(
      accountId: string,
      by: { readonly id: string } | { readonly hash: string },
    ): Promise<boolean> {
      const [column, value] = 'id' in by ? (['id', by.id] as const) : (['hash', by.hash] as const);
      const removed = await store.write((tx) =>
        tx.run(
          tx.build
            .deleteFrom('token')
            .where('account_id', '=', accountId)
            .where(column, '=', value)
            .compile(),
        ),
      );
      return removed > 0;
    },

    /**
     * Deletes the tokens of accounts that were deleted, were disabled or got another password. Keeps those of unknown
     * or later accounts: the accounts may be missing, or from an older backup.
     */
    async removeVoid(accounts: AccountStore): Promise<void> {
      const issued = build
        .selectFrom('token')
        .select(['account_id', 'password_version'])
        .distinct()
        .compile();
      const ofVoid = store.all(issued).filter((row) => {
        const account = accounts.get(row.account_id);
        if (account === undefined) return accounts.isRemoved(row.account_id);
        return account.disabled || account.passwordVersion > row.password_version;
      });
      if (ofVoid.length === 0) return;
      await store.write((tx) => {
        for (const { account_id, password_version } of ofVoid) {
          const of = tx.build.deleteFrom('token').where((eb) => eb.and({ account_id, password_version }));
          tx.run(of.compile());
        }
      });
    },

    async removeOfAccount(accountId: string): Promise<void> {
      await store.write((tx) =>
        tx.run(tx.build.deleteFrom('token').where('account_id', '=', accountId).compile()),
      );
    },
  };
}

/** The account that the token belongs to; undefined if the token is void or the account has no role in the service. */
export function callerOfToken(
  accounts: AccountStore,
  service: RoleService,
  token: Token | undefined,
): TokenCaller | undefined {
  if (token === undefined) return undefined;
  const account = accounts.get(token.accountId);
  if (account === undefined || account.disabled || account.passwordVersion !== token.passwordVersion)
    return undefined;
  const role = account.roles[service];
  return role === null ? undefined : { account, role, token };
}

/** A token has hundreds of random bits, so a fast hash is enough, unlike for a password. */
function hashOf(token: string): string {
  return createHash('sha512').update(token).digest('hex');
}

function toToken(row: Selectable<TokenTable>): Token {
  return {
    id: row.id,
    hash: row.hash,
    accountId: row.account_id,
    passwordVersion: row.password_version,
    description: row.description,
    createdTime: row.created_time,
    lastUsedTime: row.last_used_time,
  };
}
