/** Walks through folders, several at a time, and yields each as soon as possible. */
import { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listKeys } from '#upstreams/secrets-server/metadata.ts';
import { compareKeys, pathIn } from './folder-items.ts';
import { orDenied, orRefused } from './stored-secret.ts';

/** The number of folders read concurrently, and how far reading runs ahead of the next yielded folder. */
const atOnce = 8;

/** A folder with its names in order; null if the user can't list it, or no URL can name it. */
export interface WalkedFolder {
  readonly folder: string;
  readonly keys: readonly string[] | null;
}

/** A walk's progress. */
export interface WalkProgress {
  foldersRead: number;
  foldersWaiting: number;
}

type Read = WalkedFolder | { readonly folder: string; readonly error: unknown };

/** A folder that was found and not yet yielded. */
interface FoundFolder {
  readonly folder: string;
  /** The read in progress. */
  reading?: Promise<Read>;
}

/**
 * Yields a folder and every folder below it in tree order, each before its subfolders. The next folders are read in
 * advance, so that the order costs no time.
 * @param progress updated during the walk
 * @throws ServiceError `forbidden` if the user can't list the first folder; another error of the server
 */
export async function* walkFolders(
  caller: SecretsCaller,
  mount: string,
  start: string,
  progress: WalkProgress,
): AsyncGenerator<WalkedFolder> {
  /** A stack: the next folder is the last element. */
  const found: FoundFolder[] = [{ folder: start }];
  const running = new Set<Promise<Read>>();
  const read = async (folder: string): Promise<Read> => {
    try {
      const listed = listKeys(caller, { mount, path: folder });
      const keys = await (folder === start ? orDenied(listed) : orRefused(listed));
      return { folder, keys: typeof keys === 'string' ? null : keys.toSorted(compareKeys) };
    } catch (error) {
      return { folder, error };
    }
  };
  const begin = (next: FoundFolder): void => {
    const reading = read(next.folder);
    next.reading = reading;
    running.add(reading);
    void reading.then(() => running.delete(reading));
  };
  for (;;) {
    for (const ahead of found.slice(-atOnce).toReversed()) {
      if (running.size >= atOnce) break;
      if (ahead.reading === undefined) begin(ahead);
    }
    const next = found.at(-1);
    progress.foldersWaiting = found.length;
    if (next === undefined) return;
    if (next.reading === undefined) {
      // Folders read in advance elsewhere use all slots.
      await Promise.race(running);
      continue;
    }
    const done = await next.reading;
    found.pop();
    if ('error' in done) throw done.error;
    if (done.keys === null && done.folder === start) throw notListable(caller);
    if (done.keys !== null) progress.foldersRead += 1;
    for (const folder of foldersIn(done).toReversed()) found.push({ folder });
    progress.foldersWaiting = found.length;
    yield done;
  }
}

/**
 * Yields folders' names in tree order: a folder's contents follow its name.
 * @param walked folders as `walkFolders` yields them
 * @returns folders in parts: the names up to a subfolder's, and later the names after it
 */
export async function* inTreeOrder(walked: AsyncIterable<WalkedFolder>): AsyncGenerator<WalkedFolder> {
  const open: OpenFolder[] = [];
  for await (const { folder, keys } of walked) {
    // Folders that end before this one begins are yielded completely.
    while (open.length > 0 && !isBelow(folder, open.at(-1)?.folder)) {
      const ended = open.pop();
      if (ended !== undefined) yield rest(ended);
    }
    const around = open.at(-1);
    if (around !== undefined) {
      const { told } = around;
      around.told = around.keys.indexOf(`${folder.slice(folder.lastIndexOf('/') + 1)}/`, told) + 1;
      yield { folder: around.folder, keys: around.keys.slice(told, around.told) };
    }
    if (keys === null) yield { folder, keys };
    else open.push({ folder, keys, told: 0 });
  }
  for (const last of open.toReversed()) yield rest(last);
}

function notListable({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError(
    'forbidden',
    "Your policies on the secrets server don't let you list this folder.",
    { environment, service },
  );
}

/** A folder whose names were not all yielded yet. */
interface OpenFolder {
  readonly folder: string;
  readonly keys: readonly string[];
  /** How many were. */
  told: number;
}

function rest({ folder, keys, told }: OpenFolder): WalkedFolder {
  return { folder, keys: keys.slice(told) };
}

function isBelow(folder: string, above: string | undefined): boolean {
  return above === '' || folder.startsWith(`${above}/`);
}

/** The paths of a folder's subfolders. */
function foldersIn({ folder, keys }: WalkedFolder): string[] {
  return (keys ?? []).filter((key) => key.endsWith('/')).map((key) => pathIn(folder, key.slice(0, -1)));
}

/** The paths of a folder's secrets. */
export function secretsIn({ folder, keys }: WalkedFolder): string[] {
  return (keys ?? []).filter((key) => !key.endsWith('/')).map((key) => pathIn(folder, key));
}
