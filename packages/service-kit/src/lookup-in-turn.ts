import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { turns } from './turns.ts';
import { currentAsker } from './write-queue.ts';

/** Finds the addresses of a name: at least one. */
export type FindAddresses = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

/** A lookup for connections that finds addresses in another way than the system. */
export function lookupBy(find: FindAddresses): LookupFunction {
  const answer = callbackify(find);
  return (hostname, options, callback) =>
    answer(hostname, options, (error, found) => {
      const [first] = error === null ? found : [];
      if (first === undefined) callback(error, '', 0);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
}

const bySystem: FindAddresses = (hostname, options) => lookup(hostname, { ...options, all: true });

/**
 * Resolves names that users give, one at a time. The system's resolver works on two names at once for the whole process,
 * on each for half a minute if no server answers: so one place stays free for the names in the configuration.
 * @param find by the system's resolver unless given
 */
export function lookupsInTurn(find = bySystem): LookupFunction {
  const inTurn = turns({ atOnce: 1, mostOwn: 64, mostWaiting: 256, waitMs: 10_000 });
  return lookupBy((...name) => inTurn(currentAsker(), () => find(...name)));
}

/** Resolves the names that users of this process give. */
export const lookupInTurn: LookupFunction = lookupsInTurn();
