import { reasonFor, rungOf, type Harm } from '@gatehouse/api-types/console/harm';
import { ProblemError } from '#ground/problem.ts';
import type { ActiveSession } from '#session/session.ts';
import type { Context } from './context.ts';

interface HarmfulCall {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly session: ActiveSession | undefined;
}

/** Whether a harm asks for a password that the caller has not entered lately. */
export function needsPassword(context: Context, call: HarmfulCall, harm: Harm | undefined): boolean {
  const { session } = call;
  if (session === undefined || harm === undefined) return false;
  if (session.confirmedUntil !== null && session.confirmedUntil > context.clock.now()) return false;
  return rungOf(harm, environmentOf(context, call).kind === 'production') === 'password';
}

/** @throws ProblemError `confirmation-required` where a harm asks for a password that was not entered lately */
export function demandPassword(context: Context, call: HarmfulCall, harm: Harm | undefined): void {
  if (harm === undefined || !needsPassword(context, call, harm)) return;
  const environment = environmentOf(context, call);
  const secret = call.session?.method === 'token' ? 'token' : 'password';
  throw new ProblemError(
    'confirmation-required',
    `Your ${secret} is asked for because ${reasonFor(harm, environment)}.`,
    environment.id === '' ? {} : { environment: environment.id },
  );
}

/** The environment that a call is about; one without a name where it is about none. */
function environmentOf({ config }: Context, { params }: HarmfulCall) {
  return config.environments.find(({ id }) => id === params['environment']) ?? { id: '', name: '', kind: '' };
}
