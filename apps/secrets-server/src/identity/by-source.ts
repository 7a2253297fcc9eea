import { inParallel } from './in-parallel.ts';

/** What `bySource` does. */
export interface WorkBySource<Item> {
  /** Items of one source at a time. */
  readonly width: number;
  /** Where an item's work is done. Sources do not wait for each other. */
  sourceOf(item: Item): string | number;
  /** Whether the source answered. */
  work(item: Item): Promise<boolean>;
  /** For the items that are left once their source has not answered. */
  leaveOut(item: Item): Promise<unknown>;
}

/** Works on items until their source does not answer. @throws what the work throws, when all is over */
export async function bySource<Item>(items: readonly Item[], how: WorkBySource<Item>): Promise<void> {
  const sources = Map.groupBy(items, (item) => how.sourceOf(item));
  const all = [...sources.values()].map(async (own) => {
    let answers = true;
    await inParallel(how.width, own, async (item) => {
      if (!answers) await how.leaveOut(item);
      else if (!(await how.work(item))) answers = false;
    });
  });
  await allDone(all);
}

/** Waits for everything. @throws the first that was thrown, when all is over */
export async function allDone(all: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason;
}
