/** Keeps a started change while the tab is open, because a demoted primary no longer lists its secondaries. */
import type { Change } from './change.ts';

type Named = Pick<Change, 'kind'> & { readonly from: string; readonly to: string };

const keyOf = ({ kind, from, to }: Named): string => `gatehouse change ${kind} ${from} ${to}`;

/** Stores a change's participants. */
export function keepChange(begun: Change): void {
  const name = { kind: begun.kind, from: begun.from.id, to: begun.to.id };
  sessionStorage.setItem(keyOf(name), JSON.stringify(begun));
}

/** The change started in this tab; undefined if none was, or if it can't be read. */
export function keptChange(name: Named): Change | undefined {
  const text = sessionStorage.getItem(keyOf(name));
  if (text === null) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    return isChange(kept, name) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Only this page writes it, so the checks only detect older formats. */
function isChange(kept: unknown, { kind, from, to }: Named): kept is Change {
  return (
    hasField(kept, 'kind', (value) => value === kind) &&
    hasField(kept, 'from', (place) => hasField(place, 'id', (id) => id === from)) &&
    hasField(kept, 'to', (place) => hasField(place, 'id', (id) => id === to)) &&
    hasField(
      kept,
      'others',
      (others) =>
        Array.isArray(others) &&
        others.every((other) => hasField(other, 'secondaryId', (id) => typeof id === 'string')),
    )
  );
}

function hasField(value: unknown, name: string, is: (field: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && is(Reflect.get(value, name));
}
