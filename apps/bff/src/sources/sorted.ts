import type { Slices } from '@gatehouse/service-kit/slices';

/** Sorts like `toSorted`, in slices, because comparing ten thousand version numbers takes long. */
export async function sorted<Item extends object>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
  slices: Slices,
): Promise<Item[]> {
  if (items.length < 2) return [...items];
  const half = items.length >> 1;
  const left = await sorted(items.slice(0, half), compare, slices);
  const right = await sorted(items.slice(half), compare, slices);
  const merged: Item[] = [];
  for (let at = 0, place = 0; ;) {
    await slices.giveWay();
    const [one, other] = [left[at], right[place]];
    if (one === undefined || other === undefined)
      return [...merged, ...left.slice(at), ...right.slice(place)];
    const isFirst = compare(one, other) <= 0;
    merged.push(isFirst ? one : other);
    if (isFirst) at += 1;
    else place += 1;
  }
}
