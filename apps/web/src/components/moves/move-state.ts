/** How a move is and how far, in a few words: as much as the tray of every page says. */
import type { PauseReason } from '@gatehouse/api-types/console/move-values';
import type { Move, PieceCounts } from '@gatehouse/api-types/console/moves';
import type { Tone } from '@gatehouse/ui/tone';

interface StateWords {
  readonly word: string;
  readonly tone: Tone | 'neutral';
  readonly isBusy: boolean;
}

const pauseWords: Readonly<Record<PauseReason, string>> = {
  person: 'Paused',
  'token-ended': 'Paused: a token is no longer valid',
  forbidden: 'Paused: not allowed',
  'source-token': 'Paused: the source requires a token',
  unreachable: 'Paused: no response',
  'storage-full': 'Paused: storage is full',
};

/** What a move does now. */
export function stateWords({
  state,
  pause,
  pieces,
  items,
}: Pick<Move, 'state' | 'pause' | 'pieces' | 'items'>): StateWords {
  switch (state) {
    case 'planning':
      return { word: 'Reading', tone: 'info', isBusy: true };
    case 'planned':
      return left(pieces) === 0
        ? { word: 'Nothing to copy', tone: 'neutral', isBusy: false }
        : { word: 'Ready to copy', tone: 'info', isBusy: false };
    case 'copying':
      return { word: 'Copying', tone: 'info', isBusy: true };
    case 'paused':
      return { word: pauseWords[pause?.reason ?? 'person'], tone: 'warn', isBusy: false };
    case 'done':
      if (pieces.failed > 0)
        return { word: `Done, ${pieces.failed.toLocaleString('en')} failed`, tone: 'warn', isBusy: false };
      return items.unread > 0
        ? { word: `Done, ${items.unread.toLocaleString('en')} not read`, tone: 'warn', isBusy: false }
        : { word: 'Done', tone: 'ok', isBusy: false };
    case 'abandoned':
      return { word: 'Abandoned', tone: 'neutral', isBusy: false };
  }
}

/** `vagrantcloud.com` of an address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** `Boxes from vagrantcloud.com` */
export function moveTitle({ kind, source }: Pick<Move, 'kind' | 'source'>): string {
  return `${kind === 'boxes' ? 'Boxes' : 'Modules'} from ${hostOf(source.address)}`;
}

/** Pieces that the move has to copy, those that it copied included. */
export function toCopy({ missing, waiting, copying, copied, failed }: PieceCounts): number {
  return missing + waiting + copying + copied + failed;
}

/** Pieces that the next start copies. */
export function left({ missing, waiting, failed }: PieceCounts): number {
  return missing + waiting + failed;
}

/** Pieces that were tried to the end. */
export function ended({ copied, failed }: PieceCounts): number {
  return copied + failed;
}

/** How much of a move is done, from 0 to 1: by bytes where all sizes are known, else by pieces. */
export function shareDone({ pieces, bytes }: Pick<Move, 'pieces' | 'bytes'>): number {
  const [done, total] =
    bytes.unknown === 0 && bytes.total > 0 ? [bytes.copied, bytes.total] : [ended(pieces), toCopy(pieces)];
  return total === 0 ? 1 : Math.min(1, done / total);
}

/** Whether something changes by itself. */
export function isMoving({ state }: Pick<Move, 'state'>): boolean {
  return state === 'planning' || state === 'copying';
}
