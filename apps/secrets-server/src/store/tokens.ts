import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { isUniqueViolation, withParameters } from '@gatehouse/service-kit/store';
import type { Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { TokenEntry } from '../core/identity.ts';
import { badRequest, permissionDenied } from '../core/refusal.ts';
import type { Token, TokenLifetime, TokenPerson } from '../domain/token/token.ts';
import type { Barrier } from './barrier.ts';
import type { SecretsStore } from './database.ts';
import type { TokenTable } from './identity-schema.ts';
import type { LeaseStore } from './leases.ts';
import type { Schema } from './schema.ts';

/** A token to be made. */
export interface NewToken {
  /** The token itself; chosen unless given. */
  readonly text?: string;
  readonly parent: string | null;
  readonly namespace: string;
  readonly path: string;
  readonly policies: readonly string[];
  readonly meta: Readonly<Record<string, string>> | null;
  readonly displayName: string;
  readonly lifetime: TokenLifetime;
  /** Uses; 0 is any number. */
  readonly numUses: number;
  /** Null for one that does not expire. */
  readonly expireTime: number | null;
  readonly person: TokenPerson | null;
}

/** Tokens on disk, as hashes. */
export type TokenStore = ReturnType<typeof tokenStore>;

/** What is told of a token beside its columns. */
type Details = Pick<Token, 'policies' | 'path' | 'meta' | 'displayName' | 'lifetime' | 'person'>;

/** Tokens that one write looks at, and removes: others wait for it. */
const stepsAtOnce = 500;

/** Most records kept in memory. */
const cacheSize = 10_000;

/** Tokens of the secrets server's store. */
export function tokenStore(
  store: SecretsStore,
  barrier: Barrier,
  accounts: AccountStore,
  leases: Pick<LeaseStore, 'endOfToken'>,
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
  const selectOfAccount = sql
    .raw<TokenTable & { readonly rowid: number }>(
      'SELECT rowid, * FROM token WHERE account_id = ? AND rowid > ? ORDER BY rowid LIMIT ?',
    )
    .compile(build);
  const holdsAt = (now: number) => (where: ExpressionBuilder<Schema, 'token'>) =>
    where.or([where('expire_time', 'is', null), where('expire_time', '>', now)]);
  const setEnd = build.updateTable('token').set({ expire_time: 0 }).where('hash', '=', '').compile();
  const cache = new Map<string, Token>();
  barrier.onLock(() => cache.clear());

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
    if (cache.size >= cacheSize) cache.clear();
    cache.set(hash, record);
    return record;
  };
  const personHolds = ({ person }: Token): boolean => {
    if (person === null) return true;
    const account = accounts.get(person.accountId);
    return (
      account !== undefined &&
      !account.disabled &&
      account.passwordVersion === person.passwordVersion &&
      account.roles.secrets === person.role
    );
  };
  const alive = (token: Token | undefined, now: number): Token | undefined => {
    for (let each = token; each !== undefined;) {
      if (each.expireTime !== null && each.expireTime <= now) return undefined;
      if (!personHolds(each)) return undefined;
      if (each.parent === null) return token;
      each = get(each.parent);
    }
    return undefined;
  };

  const remove = (tx: Writer<Schema>, hash: string, now: number): void => {
    // Inside of the write: nothing is read between here and its end.
    cache.delete(hash);
    leases.endOfToken(tx, hash, now);
    tx.run(build.deleteFrom('token').where('hash', '=', hash).compile());
  };
  /**
   * Tokens end before they are removed: they are of no use then, and neither is what descends from them. They expired at no
   * time at all, so that no request that began before finds them alive, or renews them.
   */
  const end = (tx: Writer<Schema>, hashes: readonly string[]): void => {
    for (const hash of hashes) {
      cache.delete(hash);
      tx.run(withParameters(setEnd, 0, hash));
    }
  };
  /**
   * Removes tokens that have ended with what descends from them, in several writes. Children come before their parents: what
   * another start finds is swept from the root on.
   */
  const removeTrees = async (roots: readonly string[], now: number): Promise<void> => {
    const waiting = [...roots];
    while (waiting.length > 0) {
      await store.write((tx) => {
        for (let steps = 0; steps < stepsAtOnce; steps++) {
          const hash = waiting.at(-1);
          if (hash === undefined) return;
          const children = tx.all(withParameters(selectChildren, hash, stepsAtOnce));
          if (children.length > 0) waiting.push(...children.map((child) => child.hash));
          else {
            waiting.pop();
            remove(tx, hash, now);
          }
        }
      });
    }
  };
  /** Ends the tokens that are found in a write, and removes them. */
  const revokeTrees = async (now: number, find: (tx: Writer<Schema>) => readonly string[]): Promise<void> => {
    const roots = await store.write((tx) => {
      const found = find(tx);
      end(tx, found);
      return found;
    });
    await removeTrees(roots, now);
  };

  return {
    /** @throws Refusal 400 when a given token exists; 403 when the one that makes it is gone */
    async issue(token: NewToken, now: number): Promise<{ readonly record: Token; readonly text: string }> {
      const text = token.text ?? `hvs.${randomBase62(24)}`;
      const hash = hashOf(text);
      const accessor = randomBase62(24);
      const { policies, path, meta, displayName, lifetime, person } = token;
      const details: Details = { policies, path, meta, displayName, lifetime, person };
      const row: TokenTable = {
        hash,
        accessor,
        parent: token.parent,
        namespace: token.namespace,
        account_id: person?.accountId ?? null,
        created_time: now,
        expire_time: token.expireTime,
        last_renewal_time: null,
        num_uses: token.numUses,
        sealed: barrier.seal(JSON.stringify(details), place(accessor)),
      };
      await store.write((tx) => {
        if (token.parent !== null && tx.get(withParameters(selectByHash, token.parent)) === undefined) {
          throw permissionDenied();
        }
        try {
          tx.run(build.insertInto('token').values(row).compile());
        } catch (error) {
          if (isUniqueViolation(error)) throw badRequest('cannot create a token with a duplicate ID');
          throw error;
        }
      });
      return { record: recordOf(row), text };
    },

    /** Forgets what is in memory: the store was written from elsewhere. */
    forget: (): void => cache.clear(),

    /** The record of a token that was presented, when it and all that it descends from are valid. */
    find: (text: string, now: number): Token | undefined => alive(get(hashOf(text)), now),

    findByAccessor(accessor: string, now: number): Token | undefined {
      const row = store.get(withParameters(selectByAccessor, accessor));
      return row === undefined ? undefined : alive(recordOf(row), now);
    },

    /** Whose a token is: the account that signed in for it or for what made it, or the first token of that line. */
    ownerOf({ accessor }: TokenEntry): string | null {
      const row = store.get(withParameters(selectByAccessor, accessor));
      let first = row === undefined ? undefined : recordOf(row);
      while (first !== undefined && first.parent !== null) first = get(first.parent);
      return first === undefined ? null : (first.person?.accountId ?? first.accessor);
    },

    /** Counts one use of a token whose uses are counted; undefined when none was left. The last use removes it. */
    async use(token: Token, now: number): Promise<Token | undefined> {
      const used = await store.write((tx) => {
        const row = tx.get(withParameters(selectByHash, token.hash));
        // One that has ended is being removed.
        if (row === undefined || (row.expire_time !== null && row.expire_time <= now)) return undefined;
        if (row.num_uses === 1) {
          end(tx, [token.hash]);
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

    /** Removes a token and what it made, tokens and leases. */
    revoke: (hash: string, now: number): Promise<void> => revokeTrees(now, () => [hash]),

    /** Removes a token and its leases; the tokens that it made become orphans. */
    revokeOrphan: (hash: string, now: number): Promise<void> =>
      store.write((tx) => {
        cache.clear();
        tx.run(build.updateTable('token').set({ parent: null }).where('parent', '=', hash).compile());
        remove(tx, hash, now);
      }),

    /** Removes the sign-ins of a person that are void by now, and what was made with them. */
    async clearVoid(accountId: string, now: number): Promise<void> {
      for (let after = 0; Number.isFinite(after);) {
        await revokeTrees(now, (tx) => {
          const rows = tx.all(withParameters(selectOfAccount, accountId, after, stepsAtOnce));
          after = rows.at(-1)?.rowid ?? Infinity;
          return rows.filter((row) => !personHolds(recordOf(row))).map(({ hash }) => hash);
        });
      }
    },

    async revokeOfNamespace(namespace: string, now: number): Promise<void> {
      const within = build.selectFrom('token').select('hash').where('namespace', '=', namespace);
      await store.write((tx) => {
        cache.clear();
        tx.run(
          build.updateTable('token').set({ expire_time: 0 }).where('namespace', '=', namespace).compile(),
        );
      });
      for (;;) {
        const roots = store.all(within.limit(stepsAtOnce).compile()).map(({ hash }) => hash);
        if (roots.length === 0) return;
        await removeTrees(roots, now);
      }
    },

    /** Accessors of the tokens of a namespace that have not expired. */
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

    /** Removes what has expired, with what descends from it. */
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
