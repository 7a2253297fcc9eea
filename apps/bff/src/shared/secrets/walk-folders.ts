/** Walks through folders, several at a time, and tells of each as soon as it is read. */
import { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listKeys } from '#upstreams/secrets-server/metadata.ts';
import { orDenied } from './stored-secret.ts';

/** Folders that are read at a time. */
const atOnce = 8;

/** One folder, with the names in it as the server lists them; null where the person may not look into it. */
export interface WalkedFolder {
  readonly folder: string;
  readonly keys: readonly string[] | null;
}

/** How far a walk is. */
export interface WalkProgress {
  foldersRead: number;
  foldersWaiting: number;
}

/**
 * Every folder below one, that one first. What was found last is read first, so that little waits at a time.
 * @param progress counted as the walk goes on
 * @throws ServiceError `forbidden` where the first folder may not be looked into; another where the server fails
 */
export async function* walkFolders(
  caller: SecretsCaller,
  mount: string,
  start: string,
  progress: WalkProgress,
): AsyncGenerator<WalkedFolder> {
  const waiting = [start];
  const running = new Map<
    string,
    Promise<WalkedFolder | { readonly folder: string; readonly error: unknown }>
  >();
  const read = async (folder: string) => {
    try {
      const keys = await orDenied(listKeys(caller, { mount, path: folder }));
      return { folder, keys: keys === 'denied' ? null : keys };
    } catch (error) {
      return { folder, error };
    }
  };
  for (;;) {
    while (running.size < atOnce) {
      const next = waiting.pop();
      if (next === undefined) break;
      running.set(next, read(next));
    }
    progress.foldersWaiting = waiting.length + running.size;
    if (running.size === 0) return;
    const done = await Promise.race(running.values());
    running.delete(done.folder);
    if ('error' in done) throw done.error;
    if (done.keys === null && done.folder === start) throw notListable(caller);
    progress.foldersRead += 1;
    for (const key of done.keys ?? []) {
      if (key.endsWith('/'))
        waiting.push(`${done.folder === '' ? '' : `${done.folder}/`}${key.slice(0, -1)}`);
    }
    progress.foldersWaiting = waiting.length + running.size;
    yield done;
  }
}

function notListable({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError(
    'forbidden',
    'The policies of your token at the secrets server do not let you list this folder.',
    { environment, service },
  );
}

/** Paths of the secrets in a folder that was walked. */
export function secretsIn({ folder, keys }: WalkedFolder): string[] {
  return (keys ?? [])
    .filter((key) => !key.endsWith('/'))
    .map((key) => (folder === '' ? key : `${folder}/${key}`));
}
