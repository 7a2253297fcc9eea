/** A move in words. */
import type { MoveKind, PieceState } from '@gatehouse/api-types/console/move-values';
import type { Move, MoveChoice, MoveSummary } from '@gatehouse/api-types/console/moves';
import type { Tone } from '@gatehouse/ui/tone';
import { byteSize } from '#lib/byte-size.ts';
import { counted } from '#lib/counted.ts';
import { roughTime } from '../publish/transfer-words.ts';
import { kindWords } from './move-kinds.ts';
import { hostOf, left, toCopy } from './move-state.ts';

export const pieceStateWords: Readonly<
  Record<PieceState, { readonly word: string; readonly tone: Tone | 'neutral'; readonly isBusy?: true }>
> = {
  missing: { word: 'To be copied', tone: 'info' },
  'left-out': { word: 'Skipped', tone: 'neutral' },
  here: { word: 'Already here', tone: 'ok' },
  clash: { word: 'Differs here', tone: 'warn' },
  waiting: { word: 'Waiting', tone: 'neutral' },
  copying: { word: 'Copying', tone: 'info', isBusy: true },
  copied: { word: 'Copied', tone: 'ok' },
  linked: { word: 'Linked', tone: 'ok' },
  'not-copied': { word: 'Not copied', tone: 'warn' },
  failed: { word: 'Failed', tone: 'danger' },
};

/** `312 GB`, `312 GB and 4 images of unknown size`, or `size unknown` if none is known. */
export function bytesWords({ kind, bytes }: Pick<Move, 'kind' | 'bytes'>): string {
  const { piece, pieces } = kindWords[kind];
  if (bytes.unknown === 0) return byteSize(bytes.total);
  if (bytes.total === 0) return 'size unknown';
  return `${byteSize(bytes.total)} and ${counted(bytes.unknown, piece, pieces)} of unknown size`;
}

/** What starting a move does, in a sentence; undefined if there is nothing to copy. */
export function startSentence(move: Move, registry: string, person: string): string | undefined {
  const { one, many, piece, pieces } = kindWords[move.kind];
  const count = left(move.pieces);
  if (count === 0) return undefined;
  const what = `${counted(count, piece, pieces)} of ${counted(move.items.to_copy, one, many)}`;
  return `Copy ${what}, ${bytesWords(move)}, to ${registry} as ${person}.`;
}

/** A warning that clients get copies immediately; undefined if no copy is added to a release here. */
export function releasesWords({
  kind,
  joined_releases: count,
}: Pick<Move, 'kind' | 'joined_releases'>): string | undefined {
  if (count === 0) return undefined;
  return `This move adds ${kindWords[kind].pieces} to ${counted(count, 'version')} already released here. Clients get them immediately.`;
}

/** What a move has copied, in a sentence. */
export function copiedWords({ kind, pieces, items }: Pick<Move, 'kind' | 'pieces' | 'items'>): string {
  const { one, many, piece, pieces: noun } = kindWords[kind];
  if (pieces.copied === 0) return 'Nothing was copied.';
  const what = `${counted(pieces.copied, piece, noun)} of ${counted(items.copied, one, many)}`;
  return `${what} ${pieces.copied === 1 ? 'was' : 'were'} copied and verified.`;
}

/** What an abandoned move has left here. */
export function abandonedWords({ kind, pieces }: Pick<Move, 'kind' | 'pieces'>): string {
  if (toCopy(pieces) === 0) return 'The move had nothing to copy.';
  if (pieces.copied === 0) return 'The move was abandoned before anything was copied.';
  return `The move was abandoned before everything was copied. The ${kindWords[kind].pieces} that were copied stay here.`;
}

/** Why there is nothing to copy. */
export function nothingToCopy({ kind, items, pieces }: Pick<Move, 'kind' | 'items' | 'pieces'>): string {
  const { many, pieces: noun } = kindWords[kind];
  if (items.chosen === 0) return `No ${many} are chosen.`;
  const isWhole = items.unread + pieces.clash + pieces['not-copied'] === 0;
  return isWhole
    ? `Nothing is missing: all chosen ${noun} are here.`
    : 'Nothing more can be copied. The list shows why.';
}

/** `12.4 MB/s` */
export function rateWords(bytesPerSecond: number): string {
  return `${byteSize(bytesPerSecond)}/s`;
}

/** `about 3 min left` */
export function leftWords(seconds: number): string {
  const time = roughTime(seconds * 1000);
  return `${time.startsWith('under') ? '' : 'about '}${time} left`;
}

/** Why a move that is copying makes no progress; undefined once the time is over. @param now in ms */
export function waitWords(
  { waits_until: until, source }: Pick<Move, 'waits_until' | 'source'>,
  now: number,
): string | undefined {
  if (until === null) return undefined;
  const seconds = Math.ceil((Date.parse(until) - now) / 1000);
  if (!(seconds > 0)) return undefined;
  const time = seconds < 60 ? `${String(seconds)} s` : roughTime(seconds * 1000);
  return `${hostOf(source.address)} asked the console to wait ${time}`;
}

/** The owner of a move. */
export function ownerWords({ owner }: Pick<MoveSummary, 'owner'>): string {
  return owner.is_you ? 'You' : owner.name === '' ? 'Someone else' : owner.name;
}

/** `all 88 boxes`, `85 of 88 boxes` */
export function chosenWords(kind: MoveKind, { chosen, total }: Pick<Move['items'], 'chosen' | 'total'>) {
  const { one, many } = kindWords[kind];
  if (total === 0) return 'None';
  if (chosen === total) return total === 1 ? `1 ${one}` : `All ${counted(total, one, many)}`;
  return `${chosen.toLocaleString('en')} of ${counted(total, one, many)}`;
}

/** A choice of versions: `all`, `newest 3`, `1.2.0 and later`. */
export function versionsWords(versions: MoveChoice['versions']): string {
  switch (versions.kind) {
    case 'all':
      return 'all';
    case 'newest':
      return `newest ${versions.count.toLocaleString('en')}`;
    case 'since':
      return `${versions.version} and later`;
  }
}
