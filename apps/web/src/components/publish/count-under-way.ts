import type { Environment } from '@gatehouse/api-types/console/session';
import { queryClient } from '../../lib/query-client.ts';
import { currentSendings } from '../../lib/uploads/sending.ts';
import { runsQuery } from '../../queries/publish.ts';

/** The person's images that are on their way, by how many signing out has to do with. */
export interface UnderWay {
  readonly all: number;
  /** Of these, those that the console delivers to registries. */
  readonly delivered: number;
}

/**
 * Counts images that this page sends, and those that the console delivers. An environment that does not answer counts as
 * none.
 */
export async function countUnderWay(environments: readonly Environment[]): Promise<UnderWay> {
  const answers = await Promise.allSettled(
    environments
      .filter(({ services }) => services.some(({ service }) => service === 'boxes'))
      .map(({ id }) => queryClient.fetchQuery({ ...runsQuery(id), staleTime: 0 })),
  );
  const delivered = new Set<string>();
  for (const answer of answers) {
    for (const { providers } of answer.status === 'fulfilled' ? answer.value : []) {
      for (const { upload } of providers) {
        if (upload !== null && ['received', 'delivering', 'verifying'].includes(upload.state))
          delivered.add(upload.id);
      }
    }
  }
  const sent = currentSendings().filter(
    ({ id, state }) => (state === 'sending' || state === 'broken') && !delivered.has(id),
  );
  return { all: delivered.size + sent.length, delivered: delivered.size };
}
