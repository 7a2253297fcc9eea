/**
 * Works on items in order, some in parallel. After the signal is aborted no further item is begun, but work
 * in progress is finished, so that its outcome is known.
 * @param parallel the limit of parallel work
 * @param work handles its own failures: if it throws, everything ends
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
