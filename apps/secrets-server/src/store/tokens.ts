import { mostTokens } from '@gatehouse/service-kit/account-tokens';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import { isUniqueViolation, withParameters, writeInParts } from '@gatehouse/service-kit/store';
import type { Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { ExpressionBuilder, Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { TokenEntry } from '../core/identity.ts';
import { badRequest, permissionDenied } from '../core/refusal.ts';
import { isToken } from '../domain/token/token.ts';
import type { Token, TokenLifetime, TokenPerson } from '../domain/token/token.ts';
import type { Barrier } from './barrier.ts';
import type { SecretsStore } from './database.ts';
import type { TokenTable } from './identity-schema.ts';
import type { LeaseStore } from './leases.ts';
import type { Schema } from './schema.ts';
import { createdLimits, isOwn, payerOf } from './token-limits.ts';

export interface NewToken {
  /** The token's text; random by default. */
  readonly text?: string;
  readonly parent: string | null;
  readonly namespace: string;
  readonly path: string;
  readonly policies: readonly string[];
  readonly meta: Readonly<Record<string, string>> | null;
  readonly displayName: string;
  readonly lifetime: TokenLifetime;
  /** The number of uses; 0 for unlimited. */
  readonly numUses: number;
  /** Null for a token that does not expire. */
  readonly expireTime: number | null;
  /** The token that creates this one; undefined for a sign-in. */
  readonly creator?: Token;
  readonly person: TokenPerson | null;
}

/** The tokens of the secrets server, stored as hashes. */
export type TokenStore = ReturnType<typeof tokenStore>;

/** A token's details that are not columns of its own. */
type Details = Pick<
  Token,
  'policies' | 'path' | 'meta' | 'displayName' | 'lifetime' | 'owner' | 'branch' | 'person'
>;

/** Tokens read at once. */
const stepsAtOnce = 500;

/** Most ancestors of a token: all must be valid, so every request looks at each of them. */
const mostAncestors = 100;

/** The maximum number of used-up tokens whose earlier uses may still be under way. */
const mostUsedUp = 10_000;

/** The maximum size of the cached records in bytes, to which each adds 1 KiB. */
const cacheSize = 32 * 1024 * 1024;

export function tokenStore(
  store: SecretsStore,
  barrier: Barrier,
  accounts: AccountStore,
  leases: Pick<LeaseStore, 'endSomeOfToken'>,
) {
  const { build } = store;
  const all = build.selectFrom('token').selectAll();
  const selectByHash = all.where('hash', '=', '').compile();
  const selectByAccessor = all.where('accessor', '=', '').compile();
  const selectChildren = build
    .selectFrom('token')
    .select('hash')
    .where('parent', '=', '')
    .limit(stepsAtOnce)
    .compile();
  const selectOfPeople = (whose: string) =>
    sql
      .raw<TokenTable & { readonly rowid: number }>(
        `SELECT rowid, * FROM token WHERE account_id ${whose} AND rowid > ? ORDER BY rowid LIMIT ?`,
      )
      .compile(build);
  const [ofAccount, ofAnyAccount] = [selectOfPeople('= ?'), selectOfPeople('IS NOT NULL')];
  /** The tokens of an account beyond its limit: those created or renewed the longest time ago. */
  const selectSurplus = build
    .selectFrom('token')
    .select('hash')
    .where('account_id', '=', '')
    .orderBy(({ fn }) => fn.coalesce('last_renewal_time', 'created_time'), 'desc')
    .orderBy(sql`rowid`, 'desc')
    .limit(-1)
    .offset(mostTokens)
    .compile();
  const checkCreated = createdLimits(build);
  const holdsAt = (now: number) => (where: ExpressionBuilder<Schema, 'token'>) =>
    where.or([where('expire_time', 'is', null), where('expire_time', '>', now)]);
  const setEnd = build.updateTable('token').set({ expire_time: 0 }).where('hash', '=', '').compile();
  const cache = new LRUCache<string, Token>({ maxSize: cacheSize });
  /**
   * Whether tokens, by hash, have been ended only by their last use, which earlier uses outlive; false once they were
   * revoked, too. Without an entry, they don't outlive it.
   */
  const usedUp = new LRUCache<string, boolean>({ max: mostUsedUp });
  const forget = (): void => {
    cache.clear();
    usedUp.clear();
  };
  barrier.onLock(forget);

  const place = (accessor: string): string => `token/${accessor}`;
  const hashOf = (text: string): string => barrier.hash('token', text);
  const recordOf = (row: Selectable<TokenTable>): Token => ({
    ...(JSON.parse(barrier.open(row.sealed, place(row.accessor)).toString('utf8')) as Details),
    hash: row.hash,
    accessor: row.accessor,
    parent: row.parent,
    namespace: row.namespace,
    createdTime: row.created_time,
    expireTime: row.expire_time,
    lastRenewalTime: row.last_renewal_time,
    numUses: row.num_uses,
  });
  const get = (hash: string): Token | undefined => {
    const known = cache.get(hash);
    if (known !== undefined) return known;
    const row = store.get(withParameters(selectByHash, hash));
    if (row === undefined) return undefined;
    const record = recordOf(row);
    cache.set(hash, record, { size: row.sealed.length + 1024 });
    return record;
  };
  const personHolds = (person: TokenPerson | null): boolean => {
    if (person === null) return true;
    const account = accounts.get(person.accountId);
    return (
      account !== undefined &&
      !account.disabled &&
      account.passwordVersion === person.passwordVersion &&
      account.roles.secrets === person.role
    );
  };
  const isVoid = (row: Selectable<TokenTable>): boolean => {
    try {
      const { person } = recordOf(row);
      if (person === null) return false;
      const account = accounts.get(person.accountId);
      // The accounts may be missing, or from an older backup: the token can't be used, but stays until it expires.
      if (account === undefined) return accounts.isRemoved(person.accountId);
      return account.passwordVersion >= person.passwordVersion && !personHolds(person);
    } catch (error) {
      // An unreadable token can't be used. It stays until it expires.
      if (error instanceof SealBroken) return false;
      throw error;
    }
  };
  const oldestOf = (token: TokenEntry): Token | undefined => {
    const row = store.get(withParameters(selectByAccessor, token.accessor));
    // The last use of a token has removed it.
    const gone = isToken(token) ? token : undefined;
    let first: Token | undefined = row === undefined ? gone : recordOf(row);
    while (first !== undefined && first.parent !== null) first = get(first.parent);
    return first;
  };
  /** The branch of a token's creations; undefined for those of the owner's own token. */
  const branchOf = (token: Token): string | undefined =>
    token.branch ?? (isOwn(token) ? undefined : token.accessor);
  /** @throws Refusal 403 if the parent or an ancestor was revoked; 400 if the parent has too many ancestors */
  const checkParent = (tx: Writer<Schema>, parent: string | null): void => {
    let next = parent;
    for (let ancestors = 0; next !== null; ancestors++) {
      if (ancestors === mostAncestors) throw badRequest(`a token has at most ${mostAncestors} ancestors`);
      const row = tx.get(withParameters(selectByHash, next));
      if (row === undefined) throw permissionDenied();
      next = row.parent;
    }
  };
  const alive = (token: Token | undefined, now: number): Token | undefined => {
    for (let each = token; each !== undefined;) {
      if (each.expireTime !== null && each.expireTime <= now) return undefined;
      if (!personHolds(each.person)) return undefined;
      if (each.parent === null) return token;
      each = get(each.parent);
    }
    return undefined;
  };

  /** Ends some leases of an ended token, or removes it when none is left. @returns whether it is removed */
  const removeSome = (tx: Writer<Schema>, hash: string, now: number): boolean => {
    // Done within the write: nothing can fill the cache again before it ends.
    cache.delete(hash);
    if (!leases.endSomeOfToken(tx, hash, now)) return false;
    tx.run(build.deleteFrom('token').where('hash', '=', hash).compile());
    return true;
  };
  /**
   * Ends tokens before they are removed, which makes their descendants invalid too. An expiry time of 0 keeps requests
   * that began earlier from using or renewing the tokens.
   */
  const end = (tx: Writer<Schema>, hashes: readonly string[]): void => {
    for (const hash of hashes) {
      cache.delete(hash);
      if (usedUp.has(hash)) usedUp.set(hash, false);
      tx.run(withParameters(setEnd, 0, hash));
    }
  };
  /**
   * Removes ended tokens with their descendants in several writes. Children go before their parents, so that after an
   * interruption the remaining tokens are still found from the root.
   */
  const removeTrees = async (roots: readonly string[], now: number): Promise<void> => {
    const waiting = [...roots];
    if (waiting.length === 0) return;
    await writeInParts(store, (tx, isOver) => {
      while (!isOver()) {
        const hash = waiting.at(-1);
        if (hash === undefined) return true;
        const children = tx.all(withParameters(selectChildren, hash, stepsAtOnce));
        if (children.length > 0) waiting.push(...children.map((child) => child.hash));
        else if (removeSome(tx, hash, now)) waiting.pop();
      }
      return false;
    });
  };
  /** Ends and removes the tokens that `find` returns. */
  const revokeTrees = async (now: number, find: (tx: Writer<Schema>) => readonly string[]): Promise<void> => {
    const roots = await store.write((tx) => {
      const found = find(tx);
      end(tx, found);
      return found;
    });
    await removeTrees(roots, now);
  };

  return {
    /**
     * Adds a token. If it is an account's and those are too many, the one unused for the longest time is removed.
     * @throws Refusal 400 if a token with the chosen text exists, and as `createdLimits` and `checkParent`
     */
    async issue(token: NewToken, now: number): Promise<{ readonly record: Token; readonly text: string }> {
      const text = token.text ?? `hvs.${randomBase62(24)}`;
      const hash = hashOf(text);
      const accessor = randomBase62(24);
      const { policies, path, meta, displayName, lifetime, creator, person } = token;
      const creators = creator?.owner ?? null;
      const branch = creator === undefined ? undefined : branchOf(creator);
      const owner = person?.accountId ?? creators ?? accessor;
      const details: Details = { policies, path, meta, displayName, lifetime, owner, branch, person };
      const row: TokenTable = {
        hash,
        accessor,
        parent: token.parent,
        namespace: token.namespace,
        account_id: person?.accountId ?? null,
        owner: creators === null ? null : payerOf(creators, branch),
        created_time: now,
        expire_time: token.expireTime,
        last_renewal_time: null,
        num_uses: token.numUses,
        sealed: barrier.seal(JSON.stringify(details), place(accessor)),
      };
      const surplus = await store.write((tx) => {
        checkParent(tx, token.parent);
        try {
          tx.run(build.insertInto('token').values(row).compile());
        } catch (error) {
          if (isUniqueViolation(error)) throw badRequest('cannot create a token with a duplicate ID');
          throw error;
        }
        if (row.owner !== null) checkCreated(tx, row.owner);
        if (row.account_id === null) return [];
        const hashes = tx
          .all(withParameters(selectSurplus, row.account_id, -1, mostTokens))
          .map((one) => one.hash);
        end(tx, hashes);
        return hashes;
      });
      await removeTrees(surplus, now);
      return { record: recordOf(row), text };
    },

    /** Clears the cache after the store was changed by other code. */
    forget,

    /** The record of a presented token, if the token and all its ancestors are valid. */
    find: (text: string, now: number): Token | undefined => alive(get(hashOf(text)), now),

    /**
     * Whether a token that was found earlier, and all its ancestors, are still valid. One whose uses are limited stays so
     * for a use that was counted, although its last use has since ended it; a revocation or its expiry does end it.
     */
    holds(token: Token, now: number): boolean {
      const isUsedUp = usedUp.get(token.hash);
      const outlivesRow = token.numUses === -1 ? isUsedUp !== false : token.numUses > 0 && isUsedUp === true;
      return alive(outlivesRow ? token : get(token.hash), now) !== undefined;
    },

    findByAccessor(accessor: string, now: number): Token | undefined {
      const row = store.get(withParameters(selectByAccessor, accessor));
      return row === undefined ? undefined : alive(recordOf(row), now);
    },

    /** Whose limits count what a token creates or wraps (`payerOf`); null for a forwarded one. */
    payerOf: (token: TokenEntry): string | null =>
      isToken(token) ? payerOf(token.owner, branchOf(token)) : null,

    /** The sign-in that a token comes from; null for none. */
    personOf: (token: TokenEntry): TokenPerson | null => oldestOf(token)?.person ?? null,

    /** Whether the account of a sign-in exists, isn't disabled, and has the same password and role. */
    personHolds,

    /** Counts one use of a token with limited uses; undefined if no use was left. The last use removes the token. */
    async use(token: Token, now: number): Promise<Token | undefined> {
      const used = await store.write((tx) => {
        const row = tx.get(withParameters(selectByHash, token.hash));
        // A token that has ended is about to be removed.
        if (row === undefined || (row.expire_time !== null && row.expire_time <= now)) return undefined;
        if (row.num_uses === 1) {
          end(tx, [token.hash]);
          usedUp.set(token.hash, true);
          return { ...token, numUses: -1 };
        }
        cache.delete(token.hash);
        tx.run(
          build
            .updateTable('token')
            .set({ num_uses: row.num_uses - 1 })
            .where('hash', '=', token.hash)
            .compile(),
        );
        return { ...token, numUses: row.num_uses - 1 };
      });
      if (used?.numUses === -1) await removeTrees([token.hash], now);
      return used;
    },

    renew(token: Token, expireTime: number, now: number): Promise<Token | undefined> {
      return store.write((tx) => {
        cache.delete(token.hash);
        const set = { expire_time: expireTime, last_renewal_time: now };
        const row = build.updateTable('token').set(set).where('hash', '=', token.hash);
        const changed = tx.run(row.where(holdsAt(now)).compile());
        return changed === 0 ? undefined : { ...token, expireTime, lastRenewalTime: now };
      });
    },

    /** Removes a token with its descendants, and ends their leases. */
    revoke: (hash: string, now: number): Promise<void> => revokeTrees(now, () => [hash]),

    /** Removes a token and ends its leases; its children become orphans. */
    revokeOrphan: (hash: string, now: number): Promise<void> =>
      revokeTrees(now, (tx) => {
        cache.clear();
        tx.run(build.updateTable('token').set({ parent: null }).where('parent', '=', hash).compile());
        return [hash];
      }),

    /** Removes a user's tokens that are no longer valid, or everyone's, with their descendants. */
    async clearVoid(accountId: string | undefined, now: number): Promise<void> {
      for (let after = 0; Number.isFinite(after);) {
        await revokeTrees(now, (tx) => {
          const rows = tx.all(
            accountId === undefined
              ? withParameters(ofAnyAccount, after, stepsAtOnce)
              : withParameters(ofAccount, accountId, after, stepsAtOnce),
          );
          after = rows.at(-1)?.rowid ?? Infinity;
          return rows.filter(isVoid).map(({ hash }) => hash);
        });
      }
    },

    async revokeOfNamespace(namespace: string, now: number): Promise<void> {
      const within = build.selectFrom('token').select('hash').where('namespace', '=', namespace);
      const live = within.where((eb) => eb.or([eb('expire_time', 'is', null), eb('expire_time', '<>', 0)]));
      await writeInParts(store, (tx, isOver) => {
        forget();
        for (;;) {
          const hashes = tx.all(live.limit(stepsAtOnce).compile()).map(({ hash }) => hash);
          end(tx, hashes);
          if (hashes.length < stepsAtOnce) return true;
          if (isOver()) return false;
        }
      });
      for (;;) {
        const roots = store.all(within.limit(stepsAtOnce).compile()).map(({ hash }) => hash);
        if (roots.length === 0) return;
        await removeTrees(roots, now);
      }
    },

    /** Accessors of a namespace's unexpired tokens. */
    accessors: (namespace: string, now: number): string[] =>
      store
        .all(
          build
            .selectFrom('token')
            .select('accessor')
            .where('namespace', '=', namespace)
            .where(holdsAt(now))
            .orderBy('accessor')
            .compile(),
        )
        .map(({ accessor }) => accessor),

    /** Removes expired tokens with their descendants. */
    async sweep(now: number): Promise<void> {
      const due = build.selectFrom('token').select('hash').where('expire_time', '<=', now).limit(1000);
      if (store.get(due.compile()) === undefined) return;
      await removeTrees(
        store.all(due.compile()).map(({ hash }) => hash),
        now,
      );
    },
  };
}
