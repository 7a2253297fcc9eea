/** Words for moves in the tray. */
import type { MoveSummary } from '@gatehouse/api-types/console/moves';
import { quarterOf, type TrayItem, type TrayLook } from '../tasks/tray-items.ts';
import { hostOf, isMoving, moveTitle, shareDone, stateWords } from './move-state.ts';

/**
 * The user's own moves that are active or wait for the user, newest first.
 * @param watched IDs of moves that this page saw active; they are also shown after they have ended
 */
export function movesInTray(
  moves: readonly MoveSummary[],
  watched: ReadonlySet<string>,
): readonly MoveSummary[] {
  return moves.filter(
    (move) =>
      move.owner.is_you &&
      (isMoving(move) ||
        move.state === 'paused' ||
        ((move.state === 'planned' || move.state === 'done') && watched.has(move.id))),
  );
}

/** The progress of a move in a few words. */
export function moveTrayItem(move: MoveSummary): TrayItem {
  const { id, state, pause, planning, source, waits_until: waits } = move;
  const { word } = stateWords(move);
  const key = `move-${id}`;
  const title = moveTitle(move);
  const look = lookOf(move);
  if (state === 'planning') {
    const { read, found } = planning ?? { read: 0, found: 0 };
    const text =
      found === 0 ? 'reading' : `reading, ${read.toLocaleString('en')} of ${found.toLocaleString('en')}`;
    return { key, title, text, spoken: found === 0 ? 'reading' : `reading, ${quarterOf(read, found)}`, look };
  }
  const words = `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
  const isCopying = state !== 'planned' && state !== 'done' && pause?.while !== 'planning';
  if (!isCopying) return { key, title, text: words, spoken: words, look };
  const share = shareDone(move);
  const waiting = waits !== null && state === 'copying' ? `, waiting for ${hostOf(source.address)}` : '';
  return {
    key,
    title,
    text: `${String(Math.floor(share * 100))} %, ${words}${waiting}`,
    spoken: `${quarterOf(share, 1)}, ${words}`,
    look,
  };
}

function lookOf(move: MoveSummary): TrayLook {
  if (isMoving(move)) return 'busy';
  if (move.state === 'done') return move.pieces.failed + move.items.unread > 0 ? 'failed' : 'done';
  return move.pause !== null && move.pause.reason !== 'person' ? 'failed' : 'waiting';
}

/** The state that a dismissal applies to: a dismissed move reappears with the next one. */
export function trayStateOf({ id, state, pause }: MoveSummary): string {
  return `${id} ${state} ${pause?.reason ?? ''}`;
}
