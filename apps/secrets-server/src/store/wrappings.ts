import { randomBase62 } from '@gatehouse/service-kit/ids';
import { withParameters, writeInParts } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { badRequest } from '../core/refusal.ts';
import type { Barrier } from './barrier.ts';
import type { SecretsStore, SecretsWriter } from './database.ts';
import type { Schema } from './schema.ts';
import { branchesAround } from './token-limits.ts';

/** An answer stored for one reading. */
export interface Wrapping {
  readonly hash: string;
  readonly accessor: string;
  readonly namespace: string;
  /** Whose limits count it (`TokenStore.payerOf`); null for none. */
  readonly owner: string | null;
  /** In milliseconds since the epoch. */
  readonly createdTime: number;
  /** In seconds. */
  readonly ttl: number;
  /** The path that the answer came from. */
  readonly path: string;
  /** The accessor of the token that the answer contains, if any. */
  readonly tokenAccessor?: string | undefined;
}

export interface NewWrapping extends Pick<
  Wrapping,
  'namespace' | 'owner' | 'ttl' | 'path' | 'tokenAccessor'
> {
  /** JSON of the whole answer. */
  readonly answer: string;
}

/** A stored answer and its token. */
interface Added {
  readonly record: Wrapping;
  readonly text: string;
}

/** Wrapped answers, stored under the hashes of their tokens. */
export type WrappingStore = ReturnType<typeof wrappingStore>;

/** Small fields that are read more often than the answer. */
type Details = Pick<Wrapping, 'ttl' | 'path' | 'tokenAccessor'>;

/**
 * The number and size, in MiB, of the answers that may wait to be unwrapped: of an owner's own tokens, of one branch of
 * its tokens, and of all its branches. They are counted for each new answer.
 */
const limits = {
  own: { answers: 1_000, mebibytes: 64, whose: 'of your wrapped answers,' },
  branch: {
    answers: 200,
    mebibytes: 16,
    whose: 'wrapped answers of one token, yours or the one that yours comes from,',
  },
  branches: {
    answers: 2_000,
    mebibytes: 128,
    whose: 'wrapped answers of tokens that one user created, yours among them,',
  },
} as const;
/** The number of answers that one statement removes. */
const removedAtOnce = 10;

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
    .select(sql<number>`coalesce(sum(length(sealed)), 0)`.as('bytes'));
  type Limit = keyof typeof limits;
  /** What counts for an answer, by limit. */
  const counted = (owner: string | null): [Limit, typeof kept][] => {
    // `owner IS ?` would not use the index.
    if (owner === null) return [['own', kept.where('owner', 'is', null)]];
    const branches = branchesAround(owner);
    const same = kept.where('owner', '=', owner);
    if (branches === undefined) return [['own', same]];
    const [from, to] = branches;
    return [
      ['branch', same],
      ['branches', kept.where('owner', '>', from).where('owner', '<', to)],
    ];
  };
  /** @param times multiplies the limits @throws Refusal 400 */
  const checkKept = (read: Pick<SecretsWriter, 'get'>, owner: string | null, times: number): void => {
    for (const [limit, query] of counted(owner)) {
      const { answers, bytes } = read.get(query.compile()) ?? { answers: 0, bytes: 0 };
      const most = { answers: times * limits[limit].answers, mebibytes: times * limits[limit].mebibytes };
      if (answers <= most.answers && bytes <= most.mebibytes * 1024 * 1024) continue;
      throw badRequest(
        `more than ${most.answers} ${limits[limit].whose} or ${most.mebibytes} MiB, are waiting to be unwrapped. Unwrap some, or wait until they expire.`,
      );
    }
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

  /** Removes the answers that `due` selects, in several writes. */
  const removeAll = async (due: SelectQueryBuilder<Schema, 'wrapping', { readonly hash: string }>) => {
    const some = due.limit(removedAtOnce);
    // Reads first, because an unnecessary write would wait for the disk.
    if (store.get(some.compile()) === undefined) return;
    const part = build.deleteFrom('wrapping').where('hash', 'in', some).compile();
    await writeInParts(store, (tx, isOver) => {
      while (tx.run(part) > 0) if (isOver()) return false;
      return true;
    });
  };
  const hashes = build.selectFrom('wrapping').select('hash');

  const addIn = (
    tx: SecretsWriter,
    { namespace, owner, ttl, path, tokenAccessor, answer }: NewWrapping,
    now: number,
  ): Added => {
    const text = `hvs.${randomBase62(24)}`;
    const accessor = randomBase62(24);
    const details: Details = { ttl, path, tokenAccessor };
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
    tx.run(build.insertInto('wrapping').values(row).compile());
    checkKept(tx, owner, 2);
    return { record: { hash: row.hash, accessor, namespace, owner, createdTime: now, ...details }, text };
  };
  const takeIn = (tx: SecretsWriter, hash: string): string | undefined => {
    const found = tx.get(withParameters(selectSealed, hash));
    if (found === undefined) return undefined;
    tx.run(build.deleteFrom('wrapping').where('hash', '=', hash).compile());
    return textOf(found.sealed, place(found.accessor));
  };

  return {
    /**
     * Checks the limits before the request's work.
     * @throws Refusal 400 if too many answers are waiting
     */
    checkRoom: (owner: string | null): void => checkKept(store, owner, 1),

    /** @throws Refusal 400 above twice the limits, which many simultaneous requests can reach */
    add: (wrapping: NewWrapping, now: number): Promise<Added> =>
      store.write((tx) => addIn(tx, wrapping, now)),

    find: (text: string, now: number): Wrapping | undefined =>
      found(withParameters(selectDetails, barrier.hash('wrapping', text)), now),
    findByAccessor: (accessor: string, now: number): Wrapping | undefined =>
      found(withParameters(selectByAccessor, accessor), now),

    /** Removes the answer. @returns the answer, which only one of several simultaneous calls gets */
    take: ({ hash }: Wrapping): Promise<string | undefined> => store.write((tx) => takeIn(tx, hash)),

    /** Stores the answer under a new token. @returns undefined if another call has taken it @throws Refusal like `add` */
    rewrap: (wrapping: Wrapping, now: number): Promise<Added | undefined> =>
      store.write((tx) => {
        const answer = takeIn(tx, wrapping.hash);
        return answer === undefined ? undefined : addIn(tx, { ...wrapping, answer }, now);
      }),

    removeOfNamespace: (namespace: string): Promise<void> =>
      removeAll(hashes.where('namespace', '=', namespace)),

    /** Removes expired answers. */
    sweep: (now: number): Promise<void> => removeAll(hashes.where('expire_time', '<=', now)),
  };
}
