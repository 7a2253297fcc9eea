/** Processes all items, `width` at a time. @throws an error of the work, after all work in progress has ended */
export async function inParallel<Item>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  for (const result of lanes) if (result.status === 'rejected') throw result.reason;
}
