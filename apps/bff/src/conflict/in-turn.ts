import { turnsByKey } from '@gatehouse/service-kit/turns';
import { currentAsker } from '@gatehouse/service-kit/write-queue';

/** Identifies work that is done one after the other. */
export interface Turn {
  readonly environment: string;
  readonly service: string;
  readonly kind: string;
  readonly id: string;
  /**
   * Whose work it is. Owners take turns, so that nobody delays others by sending much. The account of the current request
   * unless given.
   */
  readonly owner?: string;
}

const atRecord = turnsByKey({ atOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });

/** The name of a record in all environments that use its server: the address, and the ID with the namespace in front. */
export type NameAtServer = (environment: string, service: string, id: string) => readonly [string, string];

const nameInEnvironment: NameAtServer = (environment, _service, id) => [environment, id];

/** This process's; the environment's unless set. */
let nameAtServer = nameInEnvironment;

/** Gives the records of a server one turn in all environments that use it. @returns ends this */
export function takeTurnsAtServers(name: NameAtServer): () => void {
  nameAtServer = name;
  return () => {
    if (nameAtServer === name) nameAtServer = nameInEnvironment;
  };
}

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
 * console, or of another one with the same database, comes between a read and its write, in any environment that uses
 * the server.
 * @returns the result of `work`, which begins in its owner's turn
 */
export function inTurn<Result>(
  { environment, service, kind, id, owner = currentAsker() }: Turn,
  work: () => Promise<Result>,
): Promise<Result> {
  // Registries ignore the case of names, so one record has several spellings.
  const [place, name] = nameAtServer(environment, service, id);
  const key = JSON.stringify([place, service, kind, name.toLowerCase()]);
  return atRecord(key, owner, () => (amongConsoles === undefined ? work() : amongConsoles(key, work)));
}
