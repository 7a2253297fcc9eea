import type { Operation } from '#operation/operation.ts';
import { moveAnswer } from '#shared/moves/move-answer.ts';

export const getMove: Operation<'moves.get'> = moveAnswer;
