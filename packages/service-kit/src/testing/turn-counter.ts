/** The number of turns of the event loop since `countTurns`, counted until it is disposed of. */
export interface TurnCounter extends Disposable {
  readonly turn: number;
}

export function countTurns(): TurnCounter {
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  return {
    get turn() {
      return turn;
    },
    [Symbol.dispose]: () => clearImmediate(next),
  };
}
