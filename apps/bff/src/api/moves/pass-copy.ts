import type { Guard } from '#ground/call.ts';
import type { Begun } from '#moves/rows/pieces.ts';
import type { Context } from '#operation/context.ts';

/**
 * Lets a call through that is about to copy, and keeps which versions it may add to though they are released here: clients
 * may get another image of them from then on. The copy adds to no other.
 */
export async function passCopy(
  { movePieces }: Pick<Context, 'movePieces'>,
  guard: Guard,
  moveId: string,
  begun: Begun,
): Promise<void> {
  const isJoined = (await movePieces.joinedReleases(moveId, begun)) > 0;
  await guard.pass(isJoined ? 'reaches' : undefined);
  if (isJoined) await movePieces.agree(moveId, begun);
}
