import type { Operation } from '../../http/operation.ts';
import { environmentsAnswer } from './session-answer.ts';

export const getSignInOptions: Operation<'getSignInOptions'> = async ({ config, version }) => ({
  environments: environmentsAnswer(config),
  version,
});
