import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Account, AccountStore, Role, RoleService } from './accounts.ts';
import { newId } from './ids.ts';
import { withParameters } from './store.ts';
import type { Store } from './store.ts';

/** The table `token` of a service: tokens as hashes. */
export interface TokenTable {
  id: string;
  hash: string;
  account_id: string;
  password_version: number;
  description: string;
  created_time: number;
  last_used_time: number;
}

/** A token's record; the token itself is known to its owner alone. */
export interface Token {
  readonly id: string;
  /** SHA-512 of the token, hexadecimal. */
  readonly hash: string;
  readonly accountId: string;
  /** The person's count of password changes when it was issued; under another one the token is void. */
  readonly passwordVersion: number;
  /** What it is for, as its owner wrote. */
  readonly description: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdTime: number;
  /** Within ten minutes. */
  readonly lastUsedTime: number;
}

/** Who presents a token. */
export interface TokenCaller {
  readonly account: Account;
  /** The person's role in the service, as of now. */
  readonly role: Role;
  readonly token: Token;
}

/** Tokens on disk, as hashes. Every write fails with StoreUnavailable when the store cannot be written. */
export type TokenStore = ReturnType<typeof accountTokens>;

/** Longest description of a token, in characters. */
export const maxTokenDescription = 256;

/** How old the record of a token's last use may become before it is renewed, in milliseconds. */
const lastUsedGrain = 10 * 60 * 1000;

/** Tokens that a person has at most: those that were not used for longest go first. */
export const mostTokens = 1_000;

/** How a service's tokens look. */
export interface TokenForm {
  /** What is no such token is not looked up. */
  readonly form: RegExp;
  /** A new one, of hundreds of random bits. */
  readonly make: () => string;
}

/** The tokens that a service issues to people with an account, in its own store. */
export function accountTokens(store: Store<{ token: TokenTable }>, { form, make }: TokenForm) {
  const { build } = store;
  const selectByHash = build.selectFrom('token').selectAll().where('hash', '=', '').compile();

  return {
    /**
     * Issues a token, in the place of one that was not used for long where the person has many.
     * @returns its record and the token itself, which is not kept
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

    /** The record of a token that was presented. */
    find(token: string): Token | undefined {
      if (!form.test(token)) return undefined;
      // Looked up by its hash: how long that takes tells nothing about the token.
      const row = store.get(withParameters(selectByHash, hashOf(token)));
      return row === undefined ? undefined : toToken(row);
    },

    /** By its id, for who fetches with an address that it asked for. */
    get(id: string): Token | undefined {
      const row = store.get(build.selectFrom('token').selectAll().where('id', '=', id).compile());
      return row === undefined ? undefined : toToken(row);
    },

    /** A person's tokens, newest first. */
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

    /** Notes that a token is used at `now`, ten minutes exactly; the caller neither waits for it nor fails with it. */
    noteUse({ id, lastUsedTime }: Token, now: number): void {
      // Recording every use would make every read a write.
      if (now - lastUsedTime < lastUsedGrain) return;
      store
        .write((tx) =>
          tx.run(tx.build.updateTable('token').set({ last_used_time: now }).where('id', '=', id).compile()),
        )
        .catch(() => undefined);
    },

    /** Removes one of a person's tokens, by its id or its hash; answers whether there was one. */
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

    async removeOfAccount(accountId: string): Promise<void> {
      await store.write((tx) =>
        tx.run(tx.build.deleteFrom('token').where('account_id', '=', accountId).compile()),
      );
    },
  };
}

/** The person whose token this is; undefined when it is void, or the person has no role in the service. */
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

/** The token has hundreds of random bits: a fast hash is enough, unlike for a password. */
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
