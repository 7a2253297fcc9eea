import type { Credentials } from '@gatehouse/api-types/console/session';
import { ProblemError } from '#ground/problem.ts';
import type { SignInService } from '#upstreams/directory.ts';

/** @throws ProblemError `invalid-request` when the configuration does not offer the way to sign in */
export function checkMethod({ config, service, environment }: SignInService, { method }: Credentials): void {
  if (config.signIn.includes(method)) return;
  throw new ProblemError('invalid-request', `You can't sign in to this service with a ${method}.`, {
    service,
    environment,
  });
}
