/** Changes the part of a plan to copy, as pure functions. */
import type { MoveChoice } from '@gatehouse/api-types/console/moves';

/** Chooses or excludes items. */
export function withItems(
  items: MoveChoice['items'],
  ids: readonly string[],
  isChosen: boolean,
): MoveChoice['items'] {
  const named = new Set(items.ids);
  for (const id of ids) {
    if ((items.kind === 'only') === isChosen) named.add(id);
    else named.delete(id);
  }
  return { kind: items.kind, ids: [...named] };
}

/**
 * Chooses or excludes a name.
 * @param chosen null for all names
 */
export function withName(
  chosen: readonly string[] | null,
  all: readonly string[],
  name: string,
  isChosen: boolean,
): string[] | null {
  const names = new Set(chosen ?? all);
  if (isChosen) names.add(name);
  else names.delete(name);
  return all.every((other) => names.has(other)) ? null : [...names].toSorted();
}

/** Renames an owner here. @param to empty, or the same, to keep the name */
export function withOwner(owners: MoveChoice['owners'], from: string, to: string): MoveChoice['owners'] {
  const others = owners.filter((owner) => owner.from !== from);
  const name = to.trim();
  return name === '' || name === from ? others : [...others, { from, to: name }];
}

/** An owner's name here. */
export function ownerHere(owners: MoveChoice['owners'], from: string): string {
  return owners.find((owner) => owner.from === from)?.to ?? from;
}
