import { turnsByKey } from '@gatehouse/service-kit/turns';

/** What is done one after the other. */
export interface Turn {
  readonly environment: string;
  readonly service: string;
  readonly kind: string;
  readonly id: string;
  /** Whose work it is: owners take turns, so that nobody holds up others by sending much. One for all unless given. */
  readonly owner?: string;
}

const atRecord = turnsByKey({ atOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });

/** Does something while no other console does what has the same key. */
export type AmongConsoles = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Of this process; missing while its database is its own. */
let amongConsoles: AmongConsoles | undefined;

/** Names what keeps other consoles from doing the same. @returns forgets it */
export function takeTurnsAmongConsoles(among: AmongConsoles): () => void {
  amongConsoles = among;
  return () => {
    if (amongConsoles === among) amongConsoles = undefined;
  };
}

/**
 * Does one thing to a record at a time, for services that can't compare and write in one step: between a read and the
 * write that it allows nothing else comes of this console, or of another one with the same database.
 * @returns what `work` returned, which begins when its owner's turn comes
 */
export function inTurn<Result>(
  { environment, service, kind, id, owner = '' }: Turn,
  work: () => Promise<Result>,
): Promise<Result> {
  const key = JSON.stringify([environment, service, kind, id]);
  return atRecord(key, owner, () => (amongConsoles === undefined ? work() : amongConsoles(key, work)));
}
