/** What searches and the recycle bin share: lines with a walk's progress and its end. */
import type { Clock } from '@gatehouse/service-kit/clock';
import { ProblemError } from '#ground/problem.ts';
import type { WalkedFolder, WalkProgress } from './walk-folders.ts';

/** A walk's state. */
export interface Scan extends WalkProgress {
  secrets: number;
  found: number;
  denied: number;
  /** Whether the walk stopped at the limit of results. */
  limited: boolean;
}

export interface ProgressLine {
  readonly kind: 'progress';
  readonly folders_read: number;
  readonly folders_waiting: number;
  readonly secrets: number;
}
export interface DeniedLine {
  readonly kind: 'denied';
  readonly path: string;
  readonly folder: boolean;
}
export interface EndLine {
  readonly kind: 'end';
  readonly folders_read: number;
  readonly secrets: number;
  readonly found: number;
  readonly denied: number;
  readonly limited: boolean;
}
export interface FailedLine {
  readonly kind: 'failed';
  readonly code: string;
  readonly detail: string;
}

/** Progress is reported after this many folders, or after this many milliseconds. */
const foldersBetween = 100;
const timeBetween = 250;

/**
 * Yields what `look` finds in each folder, progress, and the end.
 * @throws the walk's error before the first folder; later errors are lines
 */
export async function* scanLines<Line>(
  folders: AsyncIterable<WalkedFolder>,
  scan: Scan,
  clock: Clock,
  look: (folder: WalkedFolder) => AsyncIterable<Line>,
): AsyncGenerator<Line | ProgressLine | DeniedLine | EndLine | FailedLine> {
  let toldAt = clock.monotonic();
  let toldFolders = 0;
  let begun = false;
  try {
    for await (const folder of folders) {
      begun = true;
      if (folder.keys === null) {
        scan.denied += 1;
        yield { kind: 'denied', path: folder.folder, folder: true };
      } else {
        yield* look(folder);
      }
      if (scan.limited) break;
      const now = clock.monotonic();
      if (scan.foldersRead - toldFolders >= foldersBetween || now - toldAt >= timeBetween) {
        toldAt = now;
        toldFolders = scan.foldersRead;
        yield {
          kind: 'progress',
          folders_read: scan.foldersRead,
          folders_waiting: scan.foldersWaiting,
          secrets: scan.secrets,
        };
      }
    }
  } catch (error) {
    if (!begun || !(error instanceof ProblemError)) throw error;
    yield { kind: 'failed', code: error.code, detail: error.message };
    return;
  }
  const { foldersRead, secrets, found, denied, limited } = scan;
  yield { kind: 'end', folders_read: foldersRead, secrets, found, denied, limited };
}

export function newScan(): Scan {
  return { foldersRead: 0, foldersWaiting: 0, secrets: 0, found: 0, denied: 0, limited: false };
}
