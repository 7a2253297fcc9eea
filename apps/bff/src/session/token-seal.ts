import type { Clock } from '@gatehouse/service-kit/clock';
import { SealBroken, type KeyRing } from '@gatehouse/service-kit/secret-box';
import { sql } from 'kysely';
import type { Database } from '#store/database.ts';
import type { Schema } from '#store/schema.ts';

/** Where a token is stored. It can't be decrypted anywhere else. */
export interface TokenPlace {
  readonly sessionId: string;
  readonly environment: string;
  readonly service: string;
}

/**
 * Encrypts tokens of services for storage, each with its own data key, bound to its place and to the service's address
 * at that time. A service at a new address gets no token of the former one.
 */
export type TokenSeal = ReturnType<typeof tokenSeal>;

/** Shortest time between two reads of the key ring for tokens that can't be decrypted, in milliseconds. */
const reloadEvery = 1_000;

/** The destination of a service's token; undefined for texts of the console itself. */
export type DestinationOf = (environment: string, service: string) => string | undefined;

/**
 * @param load reads the key ring. It is read again if a token can't be decrypted: another replica may have used a key
 *   that was added since, and a rotation must sign nobody out.
 */
export function tokenSeal(load: () => KeyRing, clock: Clock, destinationOf: DestinationOf) {
  let keys = load();
  let loadedAt = -Infinity;
  const open = <Result>(work: (ring: KeyRing) => Result): Result => {
    try {
      return work(keys);
    } catch (error) {
      if (!(error instanceof SealBroken) || clock.monotonic() - loadedAt < reloadEvery) throw error;
      loadedAt = clock.monotonic();
      keys = load();
      return work(keys);
    }
  };
  /** What a token at a place is bound to. */
  const boundTo = (place: TokenPlace): string => {
    const { sessionId, environment, service } = place;
    const destination = destinationOf(environment, service);
    const parts = ['token', sessionId, environment, service];
    return JSON.stringify(destination === undefined ? parts : [...parts, destination]);
  };
  return {
    seal: (token: string, place: TokenPlace): string => keys.seal(token, boundTo(place)).toString('base64'),
    /** @throws SealBroken if the text was changed or belongs to another place */
    open: (sealed: string, place: TokenPlace): string =>
      open((ring) => ring.open(Buffer.from(sealed, 'base64'), boundTo(place)).toString('utf8')),
    /** Whether `open` can decrypt it. */
    opens(sealed: string, place: TokenPlace): boolean {
      try {
        this.open(sealed, place);
        return true;
      } catch (error) {
        if (error instanceof SealBroken) return false;
        throw error;
      }
    },
    /** The same token under the newest key-encryption key; undefined if it already is. @throws SealBroken */
    renew: (sealed: string, place: TokenPlace): string | undefined => {
      const bytes = Buffer.from(sealed, 'base64');
      return open((ring) =>
        ring.needsRewrap(bytes) ? ring.rewrap(bytes, boundTo(place)).toString('base64') : undefined,
      );
    },
  };
}

/** The text under the newest key; undefined if it already is, or can't be decrypted any more. */
export function renewedSeal(seal: TokenSeal, sealed: string, place: TokenPlace): string | undefined {
  try {
    return seal.renew(sealed, place);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** Re-encrypts a column under the newest key. A value that changes in the meantime is left alone. */
export async function renewSeals<Table extends keyof Schema>(
  database: Database,
  seal: TokenSeal,
  {
    table,
    column,
    key,
    placeOf,
  }: {
    readonly table: Table;
    readonly column: keyof Schema[Table];
    /** The columns that identify a row. */
    readonly key: readonly (keyof Schema[Table])[];
    readonly placeOf: (row: Schema[Table]) => TokenPlace;
  },
): Promise<void> {
  const sealed = sql.ref(String(column));
  const all = sql<Schema[Table]>`select * from ${sql.table(table)} where ${sealed} is not null`;
  for (const row of await database.all(all.compile(database.build))) {
    const anew = renewedSeal(seal, String(row[column]), placeOf(row));
    if (anew === undefined) continue;
    const same = [column, ...key].map((name) => sql`${sql.ref(String(name))} = ${row[name]}`);
    const set = sql`update ${sql.table(table)} set ${sealed} = ${anew} where ${sql.join(same, sql` and `)}`;
    await database.run(set.compile(database.build));
  }
}
