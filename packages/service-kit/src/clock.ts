/** The time that services use, injected everywhere so that tests can control it. */
export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. Jumps when the machine's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes backwards. For deadlines and durations. */
  monotonic(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that only moves when a test moves it. */
export interface TestClock extends Clock {
  /** Moves both clocks forward by `ms` milliseconds. */
  advance(ms: number): void;
  /** Sets only the wall clock (milliseconds since the epoch), as an administrator or NTP would. */
  setWall(ms: number): void;
}

/** Creates a clock for tests. @param start initial wall-clock time, in milliseconds since the epoch */
export function testClock(start: number = Date.UTC(2026, 0, 1)): TestClock {
  let wall = start;
  let elapsed = 0;
  return {
    now: () => wall,
    monotonic: () => elapsed,
    advance(ms) {
      wall += ms;
      elapsed += ms;
    },
    setWall(ms) {
      wall = ms;
    },
  };
}

const dayMs = 86_400_000;

/** The day of a time in milliseconds since the Unix epoch, as days since then (UTC). */
export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** A day as a date (`2026-11-22`). @param day days since the Unix epoch */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
