/** How long requests keep everybody else waiting in one turn of the event loop, in milliseconds, before more of them wait. */
const mostMs = 10;

let spent = 0;

/** Whether the requests of this turn have taken so long that others have to be dealt with before the next one. */
export function isTurnOver(): boolean {
  return spent > mostMs;
}

/** Does a part of a request's work, and counts how long that takes in this turn. */
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
