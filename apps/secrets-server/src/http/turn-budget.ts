/** How long requests may occupy one turn of the event loop before others are delayed, in milliseconds. */
const mostMs = 10;

let spent = 0;

/** Whether the requests of this turn have used up its budget. */
export function isTurnOver(): boolean {
  return spent > mostMs;
}

/** Runs a part of a request's work and counts its time against the turn's budget. */
export function inBudget<Result>(work: () => Result): Result {
  const start = performance.now();
  try {
    return work();
  } finally {
    if (spent === 0)
      setImmediate(() => {
        spent = 0;
      });
    spent += performance.now() - start;
  }
}
