import { setTimeout as pause } from 'node:timers/promises';
import type { Credentials } from '@gatehouse/api-types/console/session';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { connectService } from '#shared/console/connect-service.ts';
import { readReplication } from './replication-status.ts';

/** How often, and how many milliseconds apart, a new secondary is looked at. */
const looks = { most: 40, apart: 250 };

/**
 * Signs in to a cluster that has just become a secondary: its accounts and policies come from its primary, so that it takes
 * a moment.
 * @returns whether it could be done in time
 */
export async function signInAgain(
  context: Context,
  call: ServiceCall,
  credentials: Credentials,
): Promise<boolean> {
  const service = context.directory.service(call.params.environment, 'secrets');
  for (let look = 0; look < looks.most; look++) {
    if (look > 0) await pause(looks.apart, undefined, { ref: false });
    try {
      const status = await readReplication(context, call);
      if (status.mode !== 'secondary' || status.sync !== 'streaming') continue;
      await connectService(context, call, service, credentials);
      return true;
    } catch (error) {
      // Whatever it is, the secondary is there: the caller may sign in later.
      if (!(error instanceof ProblemError)) throw error;
      if (error.code !== 'service-unavailable') return false;
    }
  }
  return false;
}
