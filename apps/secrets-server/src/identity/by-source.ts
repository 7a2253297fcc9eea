import { inParallel } from './in-parallel.ts';

export interface WorkBySource<Item> {
  /** The maximum number of a source's items in progress. */
  readonly width: number;
  /** Identifies an item. */
  readonly idOf: (item: Item) => string;
  /** The source where an item's work is done. Sources do not wait for each other. */
  readonly sourceOf: (item: Item) => string | number;
  /** Returns whether the source answered. */
  readonly work: (item: Item) => Promise<boolean>;
  /** Called for the remaining items after their source has not answered. */
  readonly leaveOut: (item: Item) => Promise<unknown>;
}

/** Processes items independently for each source. */
export interface BySource<Item> {
  /** The number of items in progress or waiting. */
  readonly held: number;
  /**
   * Takes new items: they follow earlier ones of a busy source, and start at once otherwise. Waits until their sources
   * are done.
   * @throws errors of the work, after all sources are done
   */
  take(items: readonly Item[]): Promise<void>;
}

/** Processes the items of each source until it does not answer: the first one alone, which shows whether it does. */
export function bySource<Item>({
  width,
  idOf,
  sourceOf,
  work,
  leaveOut,
}: WorkBySource<Item>): BySource<Item> {
  const held = new Set<string>();
  const underWay = new Map<string | number, { waiting: Item[]; through: Promise<void> }>();

  const workThrough = async (source: string | number, waiting: Item[]): Promise<void> => {
    let answers = true;
    let taken: readonly Item[] = [];
    try {
      // Items that arrive in the meantime are processed in the next round.
      while ((taken = waiting.splice(0)).length > 0) {
        const each = async (item: Item): Promise<void> => {
          if (!answers) await leaveOut(item);
          else if (!(await work(item))) answers = false;
          held.delete(idOf(item));
        };
        await inParallel(1, taken.slice(0, 1), each);
        await inParallel(width, taken.slice(1), each);
      }
    } finally {
      underWay.delete(source);
      for (const item of [...taken, ...waiting]) held.delete(idOf(item));
    }
  };

  return {
    get held() {
      return held.size;
    },
    async take(items) {
      const all = [...Map.groupBy(items, sourceOf)].map(([source, own]) => {
        const fresh = own.filter((item) => !held.has(idOf(item)));
        for (const item of fresh) held.add(idOf(item));
        const running = underWay.get(source);
        if (running !== undefined) {
          running.waiting.push(...fresh);
          return running.through;
        }
        const through = workThrough(source, fresh);
        underWay.set(source, { waiting: fresh, through });
        return through;
      });
      await allDone(all);
    },
  };
}

/** Waits for all promises. @throws the first error, after all have settled */
export async function allDone(all: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason;
}
