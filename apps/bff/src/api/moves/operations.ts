import { resource } from '#operation/operation.ts';
import { inMoves } from '#shared/moves/in-moves.ts';
import { abandonMove } from './abandon-move.ts';
import { chooseOfMove } from './choose-of-move.ts';
import { compareMove } from './compare-move.ts';
import { createMove } from './create-move.ts';
import { getMoveItem } from './get-move-item.ts';
import { getMove } from './get-move.ts';
import { listMoveItems } from './list-move-items.ts';
import { listMoves } from './list-moves.ts';
import { pauseMove } from './pause-move.ts';
import { reportMove } from './report-move.ts';
import { resumeMove } from './resume-move.ts';
import { retryMove } from './retry-move.ts';
import { startMove } from './start-move.ts';

export const moveOperations = resource(inMoves, {
  'moves.list': listMoves,
  'moves.get': getMove,
  'moves.items': listMoveItems,
  'moves.item': getMoveItem,
  'moves.create': createMove,
  'moves.choose': chooseOfMove,
  'moves.start': startMove,
  'moves.pause': pauseMove,
  'moves.resume': resumeMove,
  'moves.retry': retryMove,
  'moves.compare': compareMove,
  'moves.abandon': abandonMove,
  'moves.report': reportMove,
});
