import type { SearchLine } from '@gatehouse/api-types/console/secret-scans';
import { counted } from '#lib/counted.ts';
import type { ScanState } from './use-scan.ts';

/** How far a walk through folders is. */
export interface Walk {
  readonly foldersRead: number;
  readonly foldersWaiting: number;
  /** Secrets looked at so far. */
  readonly looked: number;
  /** What could not be looked into, in the order of the walk. */
  readonly denied: readonly string[];
  /** It stopped because enough was found. */
  readonly isLimited: boolean;
  /** Why it failed, where the server said so. */
  readonly failure: string | undefined;
}

export const notBegun: Walk = {
  foldersRead: 0,
  foldersWaiting: 0,
  looked: 0,
  denied: [],
  isLimited: false,
  failure: undefined,
};

/** A walk after a line that says how far it is, with all that was found so far. */
export function afterWalkLine<Found extends Walk>(
  before: Found,
  line: Extract<SearchLine, { kind: 'progress' | 'end' | 'failed' }>,
): Found {
  if (line.kind === 'failed') return { ...before, failure: line.detail };
  return {
    ...before,
    foldersRead: line.folders_read,
    foldersWaiting: line.kind === 'end' ? 0 : line.folders_waiting,
    looked: line.secrets,
    isLimited: line.kind === 'end' && line.limited,
  };
}

/** How far a walk is, in a sentence. @param limited what to say where it stopped because enough was found */
export function walkInWords(
  state: ScanState,
  { looked, foldersRead, foldersWaiting, isLimited, denied }: Walk,
  limited: (seen: string) => string,
): string {
  const seen = `${counted(looked, 'secret')} in ${counted(foldersRead, 'folder')}`;
  switch (state) {
    case 'running':
      return `Searched ${seen}${foldersWaiting === 0 ? '' : `, ${counted(foldersWaiting, 'folder')} to go`}.`;
    case 'done':
      return isLimited ? limited(seen) : `Searched ${denied.length === 0 ? 'all ' : ''}${seen}.`;
    case 'stopped':
      return `Stopped after ${seen}.`;
    case 'failed':
      return `Failed after ${seen}.`;
  }
}

/**
 * What is said where a walk found nothing.
 * @param nothing what that means where it looked into everything
 */
export function nothingInWords(state: ScanState, { denied }: Walk, nothing: string): string {
  if (state !== 'done') return 'Nothing was found before the search ended.';
  return denied.length === 0 ? nothing : 'Nothing was found in the folders that could be searched.';
}
