/** The state and progress of a move in a few words, for every page's tray. */
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
  forbidden: 'Paused: permission denied',
  'source-token': 'Paused: the source requires a token',
  unreachable: 'Paused: no response',
  'storage-full': 'Paused: storage is full',
};

/** The current state of a move. */
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

/** `vagrantcloud.com` from its address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** `Boxes from vagrantcloud.com` */
export function moveTitle({ kind, source }: Pick<Move, 'kind' | 'source'>): string {
  return `${kind === 'boxes' ? 'Boxes' : 'Modules'} from ${hostOf(source.address)}`;
}

/** Pieces that the move has to copy, including copied ones. */
export function toCopy({ missing, waiting, copying, copied, failed }: PieceCounts): number {
  return missing + waiting + copying + copied + failed;
}

/** Pieces that the next start copies. */
export function left({ missing, waiting, failed }: PieceCounts): number {
  return missing + waiting + failed;
}

/** Pieces that were copied or have failed. */
export function ended({ copied, failed }: PieceCounts): number {
  return copied + failed;
}

/** The copied share of a move, from 0 to 1: by bytes if all sizes are known, otherwise by pieces. */
export function shareDone({ pieces, bytes }: Pick<Move, 'pieces' | 'bytes'>): number {
  const [done, total] =
    bytes.unknown === 0 && bytes.total > 0 ? [bytes.copied, bytes.total] : [ended(pieces), toCopy(pieces)];
  return total === 0 ? 1 : Math.min(1, done / total);
}

/** Whether the move changes without the user. */
export function isMoving({ state }: Pick<Move, 'state'>): boolean {
  return state === 'planning' || state === 'copying';
}
