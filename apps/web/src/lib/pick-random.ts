/** This many items, each picked at random with the same chance. @param from at most 2 ** 32 items */
export function pickRandom<Item>(from: readonly Item[], count: number): readonly Item[] {
  const picked: Item[] = [];
  // Skips numbers from the last multiple of the length on, which would make the first items more likely.
  const limit = Math.floor(2 ** 32 / from.length) * from.length;
  while (picked.length < count) {
    const [number = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (number < limit) picked.push(...from.slice(number % from.length, (number % from.length) + 1));
  }
  return picked;
}
