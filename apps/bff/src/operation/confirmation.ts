import { reasonFor, rungOf, type Harm } from '@gatehouse/api-types/console/harm';
import type { RecordingGuard } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { ActiveSession } from '#session/session.ts';
import type { Context } from './context.ts';

interface HarmfulCall {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly session: ActiveSession | undefined;
}

/** The guard of one call. */
export function guardOf(context: Context, call: HarmfulCall): RecordingGuard {
  let isPassed = false;
  return {
    record: () => Promise.resolve(),
    async pass(harm) {
      if (harm !== undefined) demandPassword(context, call, harm);
      await this.record();
      isPassed = true;
    },
    get isPassed() {
      return isPassed;
    },
  };
}

/** @throws ProblemError `confirmation-required` where a harm asks for a password that was not entered lately */
export function demandPassword(
  { config, clock }: Context,
  { params, session }: HarmfulCall,
  harm: Harm,
): void {
  if (session === undefined) return;
  if (session.confirmedUntil !== null && session.confirmedUntil > clock.now()) return;
  const about = config.environments.find(({ id }) => id === params['environment']);
  // What is about no environment is named after none.
  const environment = about ?? { id: '', name: '', kind: '' };
  if (rungOf(harm, environment.kind === 'production') !== 'password') return;
  const secret = session.method === 'token' ? 'token' : 'password';
  throw new ProblemError(
    'confirmation-required',
    `Your ${secret} is asked for because ${reasonFor(harm, environment)}.`,
    about === undefined ? {} : { environment: about.id },
  );
}
