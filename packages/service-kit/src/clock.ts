/** The time as the services see it; injected everywhere so that tests decide what time it is. */
export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes backwards. For deadlines and durations. */
  monotonic(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that stands still until it is told to move. */
export interface TestClock extends Clock {
  /** Moves both clocks forward by `ms` milliseconds. */
  advance(ms: number): void;
  /** Sets the wall clock alone (milliseconds since the epoch), as an administrator or NTP would. */
  setWall(ms: number): void;
}

/**
 * A clock for tests.
 * @param start wall-clock time to begin with, in milliseconds since the epoch
 */
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
