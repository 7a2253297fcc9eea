/** How long a change of role still waits for others: files, the primary's API, and its cluster addresses together. */
export type Patience = ReturnType<typeof patienceOf>;

/** Begins to wait now. @param eachMs for one @param allMs for all of them together, both in milliseconds */
export function patienceOf(eachMs: number, allMs: number) {
  const end = performance.now() + allMs;
  return {
    /** How long one of them may take at most, in milliseconds. */
    eachMs /** What is left for all of them, in milliseconds; 0 once that is over. */,
    left: (): number => Math.max(0, end - performance.now()),
  };
}

/** What may be waited for the next of several, in milliseconds: those after it have their share. @param others after it */
export function shareOf({ eachMs, left }: Patience, others = 0): number {
  return Math.ceil(Math.min(eachMs, left() / (others + 1)));
}
