/** Searches the host sets or credentials of a project, container by container. */
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { allOf, type Collection, type StoredRecord } from '#upstreams/access-controller/collection.ts';
import { anyHolds } from '#upstreams/access-controller/filter-text.ts';

/** The default number of sources in an answer. */
export const usualLimit = 100;
/** The maximum number of catalogs or stores of a project that are searched. */
export const containerLimit = 1_000;
/** The number of containers searched concurrently. */
const atOnce = 8;

export interface Named extends StoredRecord {
  readonly name: string;
  readonly description: string;
}

interface Search<Item, Container, Choice> {
  readonly search: string;
  readonly limit: number;
  readonly toChoice: (item: Item, container: Container) => Choice;
}

/** Searches containers for a text. One item more than the limit is read to find out whether there are more. */
export async function choices<Container extends Named, Item extends Named, Choice extends HasName>(
  caller: AccessCaller,
  containers: readonly Container[],
  items: Collection<Item, never, never>,
  { search, limit, toChoice }: Search<Item, Container, Choice>,
): Promise<{ items: Choice[]; more: boolean }> {
  const open = [...containers];
  const text = search.trim();
  const filter = text === '' ? undefined : anyHolds(['name', 'description', 'id'], text);
  const found: Choice[] = [];
  const worker = async (): Promise<void> => {
    for (let container = open.pop(); container !== undefined; container = open.pop()) {
      const place = { [items.container]: container.id, filter };
      for (const item of await allOf(items, caller, place, limit + 1)) found.push(toChoice(item, container));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  found.sort(byName);
  return { items: found.slice(0, limit), more: found.length > limit };
}

interface HasName {
  readonly id: string;
  readonly name: string;
}

export function byName(a: HasName, b: HasName): number {
  return a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);
}
