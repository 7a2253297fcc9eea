/** A reproducible source of choices: the same seed gives the same choices on every machine. */
export interface Random {
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** One of `choices`, which must not be empty. */
  pick<T>(choices: readonly T[]): T;
  /** True for `share` of all calls, 0 to 1. */
  chance(share: number): boolean;
}

/**
 * Starts a reproducible sequence (mulberry32, whose 32 bits of state are enough for sample data).
 * @param seed any integer
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    pick(choices) {
      const choice = choices[between(0, choices.length - 1)];
      if (choice === undefined) throw new RangeError('nothing to pick from');
      return choice;
    },
    chance: (share) => next() < share,
  };
}
