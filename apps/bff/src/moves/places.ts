/** Which moves a process works on at once. Accounts take turns. */

/**
 * Moves at once, in total and for one account, whichever service it signed in at. The others wait for their turn. The
 * `firsts` are further ones, of accounts that have no other.
 */
const atOnce = { all: 8, firsts: 8, account: 2 } as const;

/** Most moves that a process works on at once. */
export const mostAtOnce = atOnce.all + atOnce.firsts;

/** A move and its owner's user ID. */
interface Owned {
  readonly id: string;
  readonly person_id: string;
}

/** @param accountOf the account of a user ID */
export function createPlaces(accountOf: (personId: string) => string) {
  /** Accounts with a move in progress in this process, by move ID, including moves that are being claimed. */
  const taken = new Map<string, string>();
  /** When each account last had a turn, as a count. */
  const lastTurn = new Map<string, number>();
  let turn = 0;
  return {
    has: (id: string): boolean => taken.has(id),
    /** Gives the move a place until it leaves. @returns whether one is free for its account */
    take({ id, person_id: person }: Owned): boolean {
      const account = accountOf(person);
      const own = [...taken.values()].filter((one) => one === account).length;
      if (own >= atOnce.account || taken.size >= (own === 0 ? mostAtOnce : atOnce.all)) return false;
      taken.set(id, account);
      turn += 1;
      lastTurn.set(account, turn);
      return true;
    },
    leave(id: string): void {
      taken.delete(id);
    },
    /** Waiting moves in the order of their turns. @param moves the oldest first */
    order<Move extends Owned>(moves: readonly Move[]): readonly Move[] {
      const waiting = moves.filter(({ id }) => !taken.has(id));
      const accounts = [...Map.groupBy(waiting, ({ person_id: person }) => accountOf(person))].toSorted(
        ([one], [other]) => (lastTurn.get(one) ?? 0) - (lastTurn.get(other) ?? 0),
      );
      const most = Math.max(0, ...accounts.map(([, own]) => own.length));
      return Array.from({ length: most }, (_, at) =>
        accounts.flatMap(([, own]) => own.slice(at, at + 1)),
      ).flat();
    },
  };
}
