/** Walks through folders, several at a time, and tells of each as soon as it is read. */
import { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listKeys } from '#upstreams/secrets-server/metadata.ts';
import { compareKeys, pathIn } from './folder-items.ts';
import { orDenied, orRefused } from './stored-secret.ts';

/** Folders that are read at a time, and how far ahead of the one that is told of next. */
const atOnce = 8;

/** One folder, with the names in it in order; null where the person may not look into it, or no address can name it. */
export interface WalkedFolder {
  readonly folder: string;
  readonly keys: readonly string[] | null;
}

/** How far a walk is. */
export interface WalkProgress {
  foldersRead: number;
  foldersWaiting: number;
}

type Read = WalkedFolder | { readonly folder: string; readonly error: unknown };

/** A folder that was found and not told of yet. */
interface FoundFolder {
  readonly folder: string;
  /** What was begun to be read. */
  reading?: Promise<Read>;
}

/**
 * Every folder below one in the order of the tree: that one first, and each before its own. The next few are read while
 * one is told of, so that the order costs no time.
 * @param progress counted as the walk goes on
 * @throws ServiceError `forbidden` where the first folder may not be looked into; another where the server fails
 */
export async function* walkFolders(
  caller: SecretsCaller,
  mount: string,
  start: string,
  progress: WalkProgress,
): AsyncGenerator<WalkedFolder> {
  /** The next one comes last. */
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
      // What was read ahead elsewhere takes all places.
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
 * The names of folders in the order in which a tree shows them: what is in a folder comes after its name and before the
 * next one.
 * @param walked folders as `walkFolders` tells of them
 * @returns folders in parts: the names up to one that is a folder's, and what follows when that one is done
 */
export async function* inTreeOrder(walked: AsyncIterable<WalkedFolder>): AsyncGenerator<WalkedFolder> {
  const open: OpenFolder[] = [];
  for await (const { folder, keys } of walked) {
    // Folders that end before this one begins are told to the end.
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
    "Your policies at the secrets server don't let you list this folder.",
    { environment, service },
  );
}

/** A folder of which not all names are told. */
interface OpenFolder {
  readonly folder: string;
  readonly keys: readonly string[];
  /** How many are. */
  told: number;
}

function rest({ folder, keys, told }: OpenFolder): WalkedFolder {
  return { folder, keys: keys.slice(told) };
}

function isBelow(folder: string, above: string | undefined): boolean {
  return above === '' || folder.startsWith(`${above}/`);
}

/** Paths of the folders in a folder that was walked. */
function foldersIn({ folder, keys }: WalkedFolder): string[] {
  return (keys ?? []).filter((key) => key.endsWith('/')).map((key) => pathIn(folder, key.slice(0, -1)));
}

/** Paths of the secrets in a folder that was walked. */
export function secretsIn({ folder, keys }: WalkedFolder): string[] {
  return (keys ?? []).filter((key) => !key.endsWith('/')).map((key) => pathIn(folder, key));
}
