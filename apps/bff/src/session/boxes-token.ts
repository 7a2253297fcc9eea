import type { Context } from '../context.ts';
import { ProblemError } from '../http/problem.ts';
import type { KeptToken } from './connections.ts';
import type { ActiveSession } from './session.ts';

/** The person's token at the box registry. @throws ProblemError `not-found` when the environment has none, `not-connected` when the person has no token there */
export async function boxesToken(
  context: Context,
  { params, session }: { readonly params: { readonly environment: string }; readonly session: ActiveSession },
): Promise<KeptToken> {
  const { environment } = params;
  context.directory.boxes(environment);
  const kept = await context.connections.token(session.id, environment, 'boxes');
  if (typeof kept !== 'string') return kept;
  throw new ProblemError(
    'not-connected',
    kept === 'none'
      ? 'You are not signed in to the box registry of this environment.'
      : 'The box registry does not accept the token any more: sign in to it again.',
    { service: 'boxes', environment },
  );
}
