import { pathsOf } from '#audit/wish.ts';
import { kindOf } from '#moves/rows/moves.ts';
import type { ResourceAudit } from '#operation/operation.ts';

/** What the audit trail says of moves: the registry here is what they are about. */
export const inMoves: ResourceAudit = {
  service: '',
  services: ['boxes', 'modules'],
  address: ({ params: { move = '' }, body }) => ({
    ...(move !== '' && { service: kindOf(move) }),
    id: move,
    paths: pathsOf(body),
  }),
};
