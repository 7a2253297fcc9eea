import { inParallel } from './in-parallel.ts';

/** What `bySource` does. */
export interface WorkBySource<Item> {
  /** Items of one source at a time. */
  readonly width: number;
  /** What tells items apart. */
  readonly idOf: (item: Item) => string;
  /** Where an item's work is done. Sources do not wait for each other. */
  readonly sourceOf: (item: Item) => string | number;
  /** Whether the source answered. */
  readonly work: (item: Item) => Promise<boolean>;
  /** For the items that are left once their source has not answered. */
  readonly leaveOut: (item: Item) => Promise<unknown>;
}

/** Work that is done by the sources of its items, each by itself. */
export interface BySource<Item> {
  /** How many items are worked on, or wait for others of their source. */
  readonly held: number;
  /**
   * Takes up items that it does not hold yet: behind others of their source where those are under way, at once elsewhere.
   * Waits until their sources are through. @throws what the work throws, when all is over
   */
  take(items: readonly Item[]): Promise<void>;
}

/** Works on items until their source does not answer. */
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
      // What comes while the source is worked on is the next round's.
      while ((taken = waiting.splice(0)).length > 0) {
        await inParallel(width, taken, async (item) => {
          if (!answers) await leaveOut(item);
          else if (!(await work(item))) answers = false;
          held.delete(idOf(item));
        });
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

/** Waits for everything. @throws the first that was thrown, when all is over */
export async function allDone(all: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason;
}
