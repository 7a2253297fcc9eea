/** The transfer rate over the last seconds, and the time left. */

interface Sample {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  readonly bytes: number;
}

/** Averaging window in ms: long enough not to jump, short enough to follow changes. */
const windowMs = 15_000;

export type RateSamples = readonly Sample[];

/** Adds the bytes moved until now. A smaller count, after a retry, starts over. */
export function addSample(samples: RateSamples, at: number, bytes: number): RateSamples {
  const last = samples.at(-1);
  if (last !== undefined && bytes < last.bytes) return [{ at, bytes }];
  const recent = samples.filter((sample) => at - sample.at <= windowMs);
  // The newest older sample stays as the edge of the window.
  const edge = samples.filter((sample) => at - sample.at > windowMs).at(-1);
  return [...(edge === undefined ? [] : [edge]), ...recent, { at, bytes }].slice(-200);
}

/** Bytes per second; undefined without enough samples. */
export function rateOf(samples: RateSamples): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < 500) return undefined;
  const rate = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  return rate > 0 ? rate : undefined;
}

/** Milliseconds until the rest is moved; undefined without a rate. */
export function timeLeft(rest: number, rate: number | undefined): number | undefined {
  return rate === undefined ? undefined : (rest / rate) * 1000;
}
