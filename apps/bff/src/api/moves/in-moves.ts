import { pathsOf } from '#audit/wish.ts';
import { kindOf } from '#moves/rows/moves.ts';
import type { ResourceAudit } from '#operation/operation.ts';

/** How the audit trail identifies moves: by the destination registry's service and the move's ID. */
export const inMoves: ResourceAudit = {
  service: '',
  services: ['boxes', 'modules'],
  address: ({ params: { move = '' }, body }) => ({
    ...(move !== '' && { service: kindOf(move) }),
    id: move,
    paths: pathsOf(body),
  }),
};
