import { turnsByKey } from '@gatehouse/service-kit/turns';

/** Identifies work that is done one after the other. */
export interface Turn {
  readonly environment: string;
  readonly service: string;
  readonly kind: string;
  readonly id: string;
  /**
   * Whose work it is. Owners take turns, so that nobody delays others by sending much. One owner for all unless given.
   */
  readonly owner?: string;
}

const atRecord = turnsByKey({ atOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });

/** Runs work while no other console runs work with the same key. */
export type AmongConsoles = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** This process; undefined if its database isn't shared. */
let amongConsoles: AmongConsoles | undefined;

/** Reserves the key among the consoles. @returns releases it */
export function takeTurnsAmongConsoles(among: AmongConsoles): () => void {
  amongConsoles = among;
  return () => {
    if (amongConsoles === among) amongConsoles = undefined;
  };
}

/**
 * Runs one work on a record at a time, for services that can't compare and write in one step. Nothing else of this
 * console, or of another one with the same database, comes between a read and its write.
 * @returns the result of `work`, which begins in its owner's turn
 */
export function inTurn<Result>(
  { environment, service, kind, id, owner = '' }: Turn,
  work: () => Promise<Result>,
): Promise<Result> {
  // Registries ignore the case of names, so one record has several spellings.
  const key = JSON.stringify([environment, service, kind, id.toLowerCase()]);
  return atRecord(key, owner, () => (amongConsoles === undefined ? work() : amongConsoles(key, work)));
}
