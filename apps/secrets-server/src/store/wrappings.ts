import { randomBase62 } from '@gatehouse/service-kit/ids';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import { badRequest } from '../core/refusal.ts';
import type { Barrier } from './barrier.ts';
import type { SecretsStore } from './database.ts';

/** An answer that is kept for one reading. */
export interface Wrapping {
  readonly hash: string;
  readonly accessor: string;
  readonly namespace: string;
  /** Whose it is; null of nobody's. */
  readonly owner: string | null;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** Seconds. */
  readonly ttl: number;
  /** The path whose answer it is. */
  readonly path: string;
}

/** An answer that is to be kept. */
export interface NewWrapping extends Pick<Wrapping, 'namespace' | 'owner' | 'ttl' | 'path'> {
  /** JSON of the whole answer. */
  readonly answer: string;
}

/** Wrapped answers on disk, under the hashes of their tokens. */
export type WrappingStore = ReturnType<typeof wrappingStore>;

/** What is asked often, and is small. */
type Details = Pick<Wrapping, 'ttl' | 'path'>;

/** Bytes of one owner's answers that may wait to be read, and how many: they are counted at every wrap. */
const mostBytes = 64 * 1024 * 1024;
const mostAnswers = 1_000;

/** Wrapped answers in the secrets server's store. */
export function wrappingStore(store: SecretsStore, barrier: Barrier) {
  const { build } = store;
  const byHash = build.selectFrom('wrapping').where('hash', '=', '');
  const details = build
    .selectFrom('wrapping')
    .select(['hash', 'accessor', 'namespace', 'created_time', 'expire_time', 'owner', 'details']);
  const selectDetails = details.where('hash', '=', '').compile();
  const selectByAccessor = details.where('accessor', '=', '').compile();
  const selectSealed = byHash.select(['accessor', 'sealed']).compile();
  const place = (accessor: string): string => `wrapping/${accessor}`;
  const detailsPlace = (accessor: string): string => `wrapping-details/${accessor}`;
  const textOf = (sealed: Uint8Array, at: string): string => barrier.open(sealed, at).toString('utf8');

  const kept = build
    .selectFrom('wrapping')
    .select(sql<number>`count(*)`.as('answers'))
    .select(sql<number>`coalesce(sum(length(sealed)), 0)`.as('bytes'))
    .where('owner', 'is', '');
  const keptOf = (owner: string | null) => withParameters(kept.compile(), owner);
  /** @param times how often as much may wait as one does before it begins */
  const checkKept = (
    found: { readonly answers: number; readonly bytes: number } | undefined,
    times: number,
  ): void => {
    const { answers, bytes } = found ?? { answers: 0, bytes: 0 };
    if (answers <= times * mostAnswers && bytes <= times * mostBytes) return;
    const most = `${times * mostAnswers} of your wrapped answers, or ${(times * mostBytes) / 1024 / 1024} MiB,`;
    throw badRequest(
      `more than ${most} are waiting to be unwrapped. Unwrap some, or wait until they expire.`,
    );
  };

  const found = (query: typeof selectDetails, now: number): Wrapping | undefined => {
    const row = store.get(query);
    if (row === undefined || row.expire_time <= now) return undefined;
    return {
      hash: row.hash,
      accessor: row.accessor,
      namespace: row.namespace,
      owner: row.owner,
      createdTime: row.created_time,
      ...(JSON.parse(textOf(row.details, detailsPlace(row.accessor))) as Details),
    };
  };

  return {
    /** Before the work whose answer is to be kept. @throws Refusal 400 when too much of the owner's waits to be read */
    checkRoom: (owner: string | null): void => checkKept(store.get(keptOf(owner)), 1),

    /** @throws Refusal 400 when twice as much waits, since many answers came at once */
    async add(
      { namespace, owner, ttl, path, answer }: NewWrapping,
      now: number,
    ): Promise<{ readonly record: Wrapping; readonly text: string }> {
      const text = `hvs.${randomBase62(24)}`;
      const accessor = randomBase62(24);
      const details: Details = { ttl, path };
      const row = {
        hash: barrier.hash('wrapping', text),
        accessor,
        namespace,
        created_time: now,
        expire_time: now + ttl * 1000,
        owner,
        details: barrier.seal(JSON.stringify(details), detailsPlace(accessor)),
        sealed: barrier.seal(answer, place(accessor)),
      };
      await store.write((tx) => {
        tx.run(build.insertInto('wrapping').values(row).compile());
        checkKept(tx.get(keptOf(owner)), 2);
      });
      return { record: { hash: row.hash, accessor, namespace, owner, createdTime: now, ...details }, text };
    },

    find: (text: string, now: number): Wrapping | undefined =>
      found(withParameters(selectDetails, barrier.hash('wrapping', text)), now),
    findByAccessor: (accessor: string, now: number): Wrapping | undefined =>
      found(withParameters(selectByAccessor, accessor), now),

    /** Removes it. @returns its answer; of several at a time, one gets it */
    take: ({ hash }: Wrapping): Promise<string | undefined> =>
      store.write((tx) => {
        const found = tx.get(withParameters(selectSealed, hash));
        if (found === undefined) return undefined;
        tx.run(build.deleteFrom('wrapping').where('hash', '=', hash).compile());
        return textOf(found.sealed, place(found.accessor));
      }),

    async removeOfNamespace(namespace: string): Promise<void> {
      await store.write((tx) =>
        tx.run(build.deleteFrom('wrapping').where('namespace', '=', namespace).compile()),
      );
    },

    async sweep(now: number): Promise<void> {
      // Asked first: a write is waited for by the disk.
      const due = build.selectFrom('wrapping').select('hash').where('expire_time', '<=', now).limit(1);
      if (store.get(due.compile()) === undefined) return;
      await store.write((tx) =>
        tx.run(build.deleteFrom('wrapping').where('expire_time', '<=', now).compile()),
      );
    },
  };
}
