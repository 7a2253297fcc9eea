import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import type { Environment } from '@gatehouse/api-types/console/session';
import { queryClient } from '#lib/query-client.ts';
import { currentSendings } from '#lib/uploads/sending.ts';
import { openRuns, runsQuery } from '#queries/publish.ts';

/** How long signing out waits for the count, in ms. */
const answerMs = 5000;

/** Counts of the user's images that are being transferred. */
export interface UnderWay {
  readonly all: number;
  /** Those that the console delivers to registries. */
  readonly delivered: number;
}

/**
 * Counts images that this page sends, and those that the console delivers. If an environment doesn't answer,
 * uses the page's last known state.
 */
export async function countUnderWay(environments: readonly Environment[]): Promise<UnderWay> {
  const ids = environments
    .filter(({ services }) => services.some(({ service }) => service === 'boxes'))
    .map(({ id }) => id);
  const delivered = new Set<string>();
  for (const runs of await Promise.all(ids.map(runsOf))) {
    for (const { upload } of runs.flatMap(({ providers }) => providers)) {
      if (upload !== null && ['received', 'delivering', 'verifying'].includes(upload.state))
        delivered.add(upload.id);
    }
  }
  const sent = currentSendings().filter(
    ({ id, state }) => (state === 'sending' || state === 'broken') && !delivered.has(id),
  );
  return { all: delivered.size + sent.length, delivered: delivered.size };
}

/** The current runs; if they can't be read, the cached ones. */
async function runsOf(environment: string): Promise<readonly PublishRunSummary[]> {
  try {
    // Not a query, because another fetch would cancel it.
    return await openRuns(environment, { signal: AbortSignal.timeout(answerMs) });
  } catch {
    return queryClient.getQueryData(runsQuery(environment).queryKey) ?? [];
  }
}
