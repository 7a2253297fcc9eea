/**
 * Works on many things, some at once, in their order. Once the signal is aborted nothing new is begun; what is under
 * way is finished, so that its outcome is known.
 * @param parallel how many are under way at once
 * @param work handles its own failures: one that throws ends the whole
 */
export async function runEach<Item>(
  items: readonly Item[],
  parallel: number,
  work: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      const next = waiting.next();
      if (next.done === true) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
