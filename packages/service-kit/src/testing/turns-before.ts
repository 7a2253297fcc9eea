import { Slices } from '../slices.ts';

/**
 * Lets 20 askers wait for turns of 3 ms each while `work` runs.
 * @param isKnown whether they are signed-in users
 * @returns how many of them had their turn before `work` ended
 */
export async function turnsBefore(work: () => Promise<unknown>, isKnown: boolean): Promise<number> {
  let begun = 0;
  const others = Array.from({ length: 20 }, async (_, index) => {
    await new Slices(() => false, { name: `asker ${index}`, isKnown }).giveWay();
    begun += 1;
    for (const end = performance.now() + 3; performance.now() < end;);
  });
  await work();
  const before = begun;
  await Promise.all(others);
  return before;
}
