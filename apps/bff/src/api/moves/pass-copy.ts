import type { Guard } from '#ground/call.ts';
import type { Begun } from '#moves/rows/pieces.ts';
import type { Context } from '#operation/context.ts';

/**
 * Passes the guard of a call that starts copying. Also records which versions the copy may add to although they are
 * already released, whose clients may get another image. The copy adds to no other released version.
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
