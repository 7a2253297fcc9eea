/**
 * Does `work` for each item, a few at a time, and answers what came of them in the order of the items. Nothing is begun
 * that nobody waits for: whoever stops reading ends it.
 * @throws what `work` threw for the first item that failed
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce: number,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  const begin = (item: Item): void => {
    const promise = work(item);
    // Waited for in its turn; until then its failure is nobody's.
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
