/**
 * Runs `work` for each item, a few at a time, and yields the results in the order of the items. No more work is started
 * once the consumer stops reading.
 * @throws the error of `work` for the first item that failed
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce: number,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  const begin = (item: Item): void => {
    const promise = work(item);
    // Awaited in its turn. Until then, a rejection must not count as unhandled.
    promise.catch(() => undefined);
    begun.push(promise);
  };
  for await (const item of items) {
    begin(item);
    const first = begun.length < atOnce ? undefined : begun.shift();
    if (first !== undefined) yield await first;
  }
  for (const promise of begun) yield await promise;
}
