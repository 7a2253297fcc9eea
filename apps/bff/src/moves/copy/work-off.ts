/**
 * Works on what `next` gives until it gives nothing, on several at once. The first failure ends it: nothing more is begun,
 * and what goes on is waited for.
 * @throws what failed first
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
