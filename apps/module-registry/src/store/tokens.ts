import { createHash } from 'node:crypto';
import { newId, randomBase62 } from '@gatehouse/service-kit/ids';
import { withParameters } from '@gatehouse/service-kit/store';
import type { Selectable } from 'kysely';
import type { Token } from '../domain/token.ts';
import type { RegistryStore } from './database.ts';
import type { TokenTable } from './schema.ts';

/** Tokens on disk, as hashes. */
export interface TokenStore {
  /** Issues a token; answers its record and the token itself, which is not kept. */
  issue(
    token: Omit<Token, 'id' | 'lastUsedTime'>,
  ): Promise<{ readonly record: Token; readonly token: string }>;
  /** The record of a token that was presented. */
  find(token: string): Token | undefined;
  /** By its id, for who fetches with an address that it asked for. */
  get(id: string): Token | undefined;
  /** A person's tokens, newest first. */
  list(accountId: string): Token[];
  recordUse(id: string, now: number): Promise<void>;
  /** Removes one of a person's tokens; answers whether there was one. */
  remove(accountId: string, id: string): Promise<boolean>;
  removeOfAccount(accountId: string): Promise<void>;
}

/** 48 characters are about 285 bits. */
const tokenForm = /^gm_[0-9A-Za-z]{48}$/;

/** Tokens in the store of the module registry. */
export function tokenStore(store: RegistryStore): TokenStore {
  const { build } = store;
  const selectByHash = build.selectFrom('token').selectAll().where('hash', '=', '').compile();

  return {
    async issue(token) {
      const secret = `gm_${randomBase62(48)}`;
      const row: TokenTable = {
        id: newId('tok'),
        hash: hashOf(secret),
        account_id: token.accountId,
        password_version: token.passwordVersion,
        description: token.description,
        created_time: token.createdTime,
        last_used_time: token.createdTime,
      };
      await store.write((tx) => tx.run(tx.build.insertInto('token').values(row).compile()));
      return { record: toToken(row), token: secret };
    },

    find(token) {
      if (!tokenForm.test(token)) return undefined;
      // Looked up by its hash: how long that takes tells nothing about the token.
      const row = store.get(withParameters(selectByHash, hashOf(token)));
      return row === undefined ? undefined : toToken(row);
    },

    get(id) {
      const row = store.get(build.selectFrom('token').selectAll().where('id', '=', id).compile());
      return row === undefined ? undefined : toToken(row);
    },

    list: (accountId) =>
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

    async recordUse(id, now) {
      await store.write((tx) =>
        tx.run(tx.build.updateTable('token').set({ last_used_time: now }).where('id', '=', id).compile()),
      );
    },

    async remove(accountId, id) {
      const removed = await store.write((tx) =>
        tx.run(
          tx.build.deleteFrom('token').where('account_id', '=', accountId).where('id', '=', id).compile(),
        ),
      );
      return removed > 0;
    },

    async removeOfAccount(accountId) {
      await store.write((tx) =>
        tx.run(tx.build.deleteFrom('token').where('account_id', '=', accountId).compile()),
      );
    },
  };
}

/** The token has hundreds of random bits: a fast hash is enough, unlike for a password. */
function hashOf(token: string): string {
  return createHash('sha512').update(token).digest('hex');
}

function toToken(row: Selectable<TokenTable>): Token {
  return {
    id: row.id,
    accountId: row.account_id,
    passwordVersion: row.password_version,
    description: row.description,
    createdTime: row.created_time,
    lastUsedTime: row.last_used_time,
  };
}
