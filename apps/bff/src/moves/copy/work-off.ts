/**
 * Works concurrently on the items of `next` until it returns none. The first failure ends the work: nothing more is
 * started, and work in progress is awaited.
 * @throws the first failure
 */
export async function workOff<Item>(
  atOnce: number,
  next: () => Promise<Item | undefined>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let asking: Promise<unknown> = Promise.resolve();
  const ask = (): Promise<Item | undefined> => {
    const before = asking;
    const asked = (async () => {
      await before;
      return failure === undefined ? next() : undefined;
    })();
    asking = asked.catch(() => undefined);
    return asked;
  };
  const worker = async (): Promise<void> => {
    try {
      for (let item = await ask(); item !== undefined; item = await ask()) await work(item);
    } catch (error) {
      failure ??= { error };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failure !== undefined) throw failure.error;
}
