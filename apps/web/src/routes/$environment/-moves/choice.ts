/** What of a plan is copied: pure changes of a choice. */
import type { MoveChoice } from '@gatehouse/api-types/console/moves';

/** Chooses items, or leaves them out. */
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
 * Copies what has a name, or leaves it out.
 * @param chosen null where all of them are
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

/** Calls an owner otherwise here. @param to empty, or the same, to keep the name */
export function withOwner(owners: MoveChoice['owners'], from: string, to: string): MoveChoice['owners'] {
  const others = owners.filter((owner) => owner.from !== from);
  const name = to.trim();
  return name === '' || name === from ? others : [...others, { from, to: name }];
}

/** What an owner is called here. */
export function ownerHere(owners: MoveChoice['owners'], from: string): string {
  return owners.find((owner) => owner.from === from)?.to ?? from;
}
