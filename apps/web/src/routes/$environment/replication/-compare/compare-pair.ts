/** Compares two clusters, and puts the result into words. */
import type { ComparedCluster, ReplicationComparison } from '@gatehouse/api-types/console/replication-status';
import { compareClusters } from '#queries/replication.ts';
import { entriesWords } from '../-clusters/link-words.ts';

/** Writes continue while two clusters are read, so several attempts may be needed to find both at the same entry. */
const mostTries = 6;

export interface Verdict {
  readonly isEqual: boolean;
  /** The result, in a sentence or two. */
  readonly words: string;
}

/** Compares until both are at the same entry, up to `mostTries` times. @param nameOf an environment's name */
export async function comparePair(
  first: string,
  second: string,
  nameOf: (environment: string) => string,
): Promise<Verdict & { readonly comparison: ReplicationComparison }> {
  for (let tries = 1; ; tries += 1) {
    const comparison = await compareClusters(first, second);
    const [one, two] = comparison.clusters;
    const mayMeet = comparison.same === null && one.digest !== null && two.digest !== null;
    if (!mayMeet || tries === mostTries) return { comparison, ...verdictOf(comparison, nameOf) };
  }
}

/** A comparison's result in words. Clusters that could not be compared count as unequal. */
export function verdictOf(
  { clusters, same, behind, filtered_for: filtered }: ReplicationComparison,
  nameOf: (environment: string) => string,
): Verdict {
  const [one, two] = clusters;
  const [first, second] = [nameOf(one.environment), nameOf(two.environment)];
  const both = `${first} and ${second}`;
  const through =
    filtered === null ? '' : ` Only records that the paths filter of ${filtered} allows were compared.`;
  if (same === true)
    return {
      isEqual: true,
      words: `${both} have the same ${(one.digest?.records ?? 0).toLocaleString('en')} records at entry ${(one.seq ?? 0).toLocaleString('en')}.${through}`,
    };
  if (same === false)
    return {
      isEqual: false,
      words: `${both} are at the same entry, but their records differ.${through}`,
    };
  const silent = clusters
    .filter(({ digest }) => digest === null)
    .map(({ environment }) => nameOf(environment));
  if (silent.length > 0)
    return {
      isEqual: false,
      words: `${silent.join(' and ')} returned no digest. ${reasonOfSilence(clusters)}`,
    };
  if (behind !== null && behind !== 0)
    return {
      isEqual: false,
      words: `${behind > 0 ? second : first} lacks ${entriesWords(Math.abs(behind))}, so the digests can't be compared. Compare again when it has caught up.`,
    };
  return {
    isEqual: false,
    words: `${both} last received writes from different primaries, so the digests can't be compared yet.`,
  };
}

function reasonOfSilence(clusters: readonly ComparedCluster[]): string {
  const without = clusters.find(({ digest }) => digest === null);
  return without?.mode === 'disabled' || without?.mode === 'unsupported'
    ? 'Replication is disabled or not supported there.'
    : 'Connect to the secrets server with a token whose policies let you read digests.';
}
