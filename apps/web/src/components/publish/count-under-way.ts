import type { Environment } from '@gatehouse/api-types/console/session';
import { queryClient } from '../../lib/query-client.ts';
import { currentSendings } from '../../lib/uploads/sending.ts';
import { runsQuery } from '../../queries/publish.ts';

/**
 * How many of the person's images signing out would stop: those that this page sends, and deliveries to registries. An
 * environment that does not answer counts as none.
 */
export async function countUnderWay(environments: readonly Environment[]): Promise<number> {
  const answers = await Promise.allSettled(
    environments
      .filter(({ services }) => services.some(({ service }) => service === 'boxes'))
      .map(({ id }) => queryClient.fetchQuery({ ...runsQuery(id), staleTime: 0 })),
  );
  const ids = new Set(
    currentSendings()
      .filter(({ state }) => state === 'sending' || state === 'broken')
      .map(({ id }) => id),
  );
  for (const answer of answers) {
    for (const { providers } of answer.status === 'fulfilled' ? answer.value : []) {
      for (const { upload } of providers) {
        if (upload !== null && ['received', 'delivering', 'verifying'].includes(upload.state))
          ids.add(upload.id);
      }
    }
  }
  return ids.size;
}
