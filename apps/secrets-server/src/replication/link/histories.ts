import type { Epoch } from '#store/replication/replication-store.ts';

/**
 * The epochs of a history that have begun by an entry. Later epochs don't belong to a cluster that has no later
 * entries.
 */
export function historyUntil(history: readonly Epoch[], seq: number): readonly Epoch[] {
  return (history.at(-1)?.after ?? 0) <= seq ? history : history.filter(({ after }) => after <= seq);
}

export function sameHistory(one: readonly Epoch[], other: readonly Epoch[]): boolean {
  if (one === other) return true;
  return (
    one.length === other.length &&
    one.every(({ id, after }, index) => other[index]?.id === id && other[index].after === after)
  );
}
