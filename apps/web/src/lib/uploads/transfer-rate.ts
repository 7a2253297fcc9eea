/** How fast bytes move, over the last seconds; and what follows from it. */

interface Sample {
  /** ms of a clock that only goes forward. */
  readonly at: number;
  readonly bytes: number;
}

/** Over which a rate is averaged: long enough not to jump, short enough to follow. */
const windowMs = 15_000;

export type RateSamples = readonly Sample[];

/** Adds what has been moved by now; a count that went back (another try) starts over. */
export function addSample(samples: RateSamples, at: number, bytes: number): RateSamples {
  const last = samples.at(-1);
  if (last !== undefined && bytes < last.bytes) return [{ at, bytes }];
  const recent = samples.filter((sample) => at - sample.at <= windowMs);
  // The newest of the old ones stays as the edge of the window.
  const edge = samples.filter((sample) => at - sample.at > windowMs).at(-1);
  return [...(edge === undefined ? [] : [edge]), ...recent, { at, bytes }].slice(-200);
}

/** Bytes a second; undefined before enough is known. */
export function rateOf(samples: RateSamples): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < 500) return undefined;
  const rate = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  return rate > 0 ? rate : undefined;
}

/** ms until the rest is moved; undefined where the rate is not known. */
export function timeLeft(rest: number, rate: number | undefined): number | undefined {
  return rate === undefined ? undefined : (rest / rate) * 1000;
}
