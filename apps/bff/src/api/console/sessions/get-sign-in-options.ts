import type { Operation } from '#operation/operation.ts';
import { environmentsAnswer } from '#shared/console/session-answer.ts';

export const getSignInOptions: Operation<'session.getSignInOptions'> = async ({ config, version }) => ({
  environments: environmentsAnswer(config),
  version,
});
