import type { Cluster } from '../-clusters/cluster.ts';

/** An ID that a primary doesn't use yet: `eu`, otherwise `eu-2`, `eu-3`. */
export function freeId(wanted: string, primary: Cluster | undefined): string {
  const taken = new Set(primary?.mode === 'primary' ? primary.secondaries.map(({ id }) => id) : []);
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${String(number)}`;
  return id;
}
