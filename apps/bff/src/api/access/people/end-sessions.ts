import type { Context } from '#operation/context.ts';

/** Ends the console's sessions of a person who may not sign in any more, or not as before. */
export function endSessions(
  { sessions }: Context,
  { params }: { readonly params: { readonly environment: string; readonly id: string } },
): Promise<void> {
  return sessions.endOfAccount([params.environment], params.id);
}
