import type { RecycleBinLine, SearchLine } from '@gatehouse/api-types/console/secret-scans';
import { counted } from '#lib/counted.ts';
import type { ScanState } from './use-scan.ts';

/** The progress of a scan through folders. */
export interface Walk {
  readonly foldersRead: number;
  readonly foldersWaiting: number;
  /** Secrets searched so far. */
  readonly looked: number;
  /** What couldn't be searched, in the order of the scan. */
  readonly denied: readonly string[];
  /** Stopped at the maximum number of results. */
  readonly isLimited: boolean;
  /** Why it failed, if the server reported it. */
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

/** Applies a progress, end or failure line, and keeps all results. */
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

/** Secrets that a scan found so far. */
export interface Found<Secret> extends Walk {
  readonly secrets: readonly Secret[];
}

export const nothingFound: Found<never> = { ...notBegun, secrets: [] };

/** Adds a scan's lines to what it found. */
export function afterFound<Secret extends { readonly kind: 'deleted' | 'match' }>(
  before: Found<Secret>,
  lines: readonly (Secret | Exclude<RecycleBinLine, { kind: 'deleted' }>)[],
): Found<Secret> {
  const secrets: Secret[] = [];
  const denied: string[] = [];
  let next = before;
  for (const line of lines) {
    switch (line.kind) {
      case 'denied':
        denied.push(line.folder ? `${line.path}/` : line.path);
        break;
      case 'progress':
      case 'end':
      case 'failed':
        next = afterWalkLine(next, line);
        break;
      default:
        secrets.push(line);
    }
  }
  return {
    ...next,
    secrets: secrets.length === 0 ? next.secrets : [...next.secrets, ...secrets],
    denied: denied.length === 0 ? next.denied : [...next.denied, ...denied],
  };
}

export function foundInWords(state: ScanState, found: Found<object>): string {
  return walkInWords(
    state,
    found,
    () => `Stopped after ${counted(found.secrets.length, 'result')}. Search a smaller folder for the others.`,
  );
}

/** A scan's progress in a sentence. @param limited says that it stopped at the maximum number of results */
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
 * The sentence for a scan without results.
 * @param nothing for a scan that searched everything
 */
export function nothingInWords(state: ScanState, { denied }: Walk, nothing: string): string {
  if (state !== 'done') return 'Nothing was found before the search ended.';
  return denied.length === 0 ? nothing : 'Nothing was found in the folders that could be searched.';
}
