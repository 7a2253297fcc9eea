import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import type { Environment } from '@gatehouse/api-types/console/session';
import { queryClient } from '#lib/query-client.ts';
import { currentSendings } from '#lib/uploads/sending.ts';
import { openRuns, runsQuery } from '#queries/publish.ts';

/** How long somebody who signs out waits for an answer, in milliseconds. */
const answerMs = 5000;

/** The person's images that are on their way, by how many signing out has to do with. */
export interface UnderWay {
  readonly all: number;
  /** Of these, those that the console delivers to registries. */
  readonly delivered: number;
}

/**
 * Counts images that this page sends, and those that the console delivers. An environment that does not answer counts as
 * the page knows it.
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

/** The runs as they are now; where that is not answered, as the page knows them. */
async function runsOf(environment: string): Promise<readonly PublishRunSummary[]> {
  try {
    // Not as a query: one that is asked again meanwhile is cancelled.
    return await openRuns(environment, { signal: AbortSignal.timeout(answerMs) });
  } catch {
    return queryClient.getQueryData(runsQuery(environment).queryKey) ?? [];
  }
}
