import { createHash, timingSafeEqual } from 'node:crypto';
import { mostTokens } from '@gatehouse/service-kit/account-tokens';
import { newId, randomBase62 } from '@gatehouse/service-kit/ids';
import { withParameters } from '@gatehouse/service-kit/store';
import type { Store } from '@gatehouse/service-kit/store';
import type { AuthToken } from '../domain/auth-token.ts';
import { globalScopeId } from '../domain/scope.ts';
import { listingOf, type Pages } from './listing.ts';
import type { AuthTokenTable, Schema } from './schema.ts';

export type AuthTokenStore = ReturnType<typeof authTokenStore>;

/** A token: `at_` and ten characters, then the secret: `s1` and 43 characters, about 256 bits. */
const tokenForm = /^(at_[0-9A-Za-z]{10})_s1[0-9A-Za-z]{43}$/;

/** Stores tokens as hashes. */
export function authTokenStore(store: Store<Schema>) {
  const { build } = store;
  const selectById = build.selectFrom('auth_token').selectAll().where('id', '=', '').compile();
  const byId = (id: string) => withParameters(selectById, id);

  return {
    /**
     * Issues a token. If the user has too many, it replaces the least recently used one.
     * @returns its record, and the token itself, which isn't stored
     */
    async issue(
      token: Omit<AuthToken, 'id'>,
    ): Promise<{ readonly record: AuthToken; readonly token: string }> {
      const id = newId('at');
      const secret = `${id}_s1${randomBase62(43)}`;
      const row: AuthTokenTable = {
        id,
        hash: hashOf(secret),
        user_id: token.userId,
        password_version: token.passwordVersion,
        created_time: token.createdTime,
        last_used_time: token.lastUsedTime,
        expiration_time: token.expirationTime,
      };
      await store.write((tx) => {
        tx.run(build.insertInto('auth_token').values(row).compile());
        const unused = build
          .selectFrom('auth_token')
          .select('id')
          .where('user_id', '=', token.userId)
          .orderBy('last_used_time', 'desc')
          .orderBy('created_time', 'desc')
          .limit(-1)
          .offset(mostTokens);
        tx.run(build.deleteFrom('auth_token').where('id', 'in', unused).compile());
      });
      return { record: toAuthToken(row), token: secret };
    },

    /** The record of a presented token. */
    find(token: string): AuthToken | undefined {
      const id = tokenForm.exec(token)?.[1];
      const row = id === undefined ? undefined : store.get(byId(id));
      return row !== undefined && timingSafeEqual(row.hash, hashOf(token)) ? toAuthToken(row) : undefined;
    },

    get(id: string): AuthToken | undefined {
      const row = store.get(byId(id));
      return row === undefined ? undefined : toAuthToken(row);
    },

    /** All tokens, or those of one user. They belong to the global scope. */
    pages(userId: string | undefined): Pages<AuthToken> {
      const listed = listingOf<AuthTokenTable, AuthToken>(store, {
        table: 'auth_token',
        container: `'${globalScopeId}'`,
        ...(userId !== undefined && { userId }),
        toItems: (rows) => rows.map((row) => toAuthToken(row)),
      });
      return { page: (...place) => listed.page(...place), count: (within) => listed.count(within) };
    },

    async recordUse(id: string, now: number): Promise<void> {
      await store.write((tx) =>
        tx.run(build.updateTable('auth_token').set({ last_used_time: now }).where('id', '=', id).compile()),
      );
    },

    async remove(id: string): Promise<void> {
      await store.write((tx) => tx.run(build.deleteFrom('auth_token').where('id', '=', id).compile()));
    },

    async removeOfUser(userId: string): Promise<void> {
      await store.write((tx) =>
        tx.run(build.deleteFrom('auth_token').where('user_id', '=', userId).compile()),
      );
    },

    /** Deletes tokens that expired before `now`. */
    async removeExpired(now: number): Promise<void> {
      await store.write((tx) =>
        tx.run(build.deleteFrom('auth_token').where('expiration_time', '<=', now).compile()),
      );
    },
  };
}

/** A fast hash is enough, unlike for passwords, since the secret has 256 random bits. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function toAuthToken(row: AuthTokenTable): AuthToken {
  return {
    id: row.id,
    userId: row.user_id,
    passwordVersion: row.password_version,
    createdTime: row.created_time,
    lastUsedTime: row.last_used_time,
    expirationTime: row.expiration_time,
  };
}
