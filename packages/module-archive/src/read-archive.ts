import { createGunzip } from 'node:zlib';
import { BadArchive, badArchive } from './bad-archive.ts';
import { isConfiguration, isReadable, type ArchiveFiles } from './files.ts';
import { KeptTexts, type TextBounds } from './kept-texts.ts';
import { PathChecker } from './paths.ts';
import { readTar } from './tar.ts';

/** Limits of archives. */
export interface ArchiveBounds {
  /** Most bytes as sent. */
  readonly sentBytes: number;
  /** Most bytes when unpacked. */
  readonly unpackedBytes: number;
  readonly entries: number;
  /** Limits of configuration files. */
  readonly configuration: TextBounds;
  readonly readmes: TextBounds;
}

/** The default limits. The parser's memory depends on the size of a file, and its time on the size of all files. */
export const archiveBounds: ArchiveBounds = {
  sentBytes: 64 * 2 ** 20,
  unpackedBytes: 256 * 2 ** 20,
  entries: 10_000,
  configuration: { fileBytes: 128 * 1024, textBytes: 2 ** 20 },
  readmes: { fileBytes: 2 ** 20, textBytes: 2 * 2 ** 20 },
};

/** Options for passing an archive on. */
export interface PassOptions {
  /** The module's folder in the archive as a list of names, of which `*` matches any; the root unless given. */
  readonly folder?: readonly string[];
  /** Runs each piece of the work in a turn; without it, nothing waits. */
  readonly inTurn?: (work: () => Promise<void>) => Promise<void>;
  /** Stops the unpacking. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Bytes received before they are unpacked in a turn. A turn never waits for the network, and most archives need only
 * one.
 */
const turnBytes = 4 * 2 ** 20;

/**
 * Passes an archive (tar, gzip) on as it arrives, and reads it piece by piece in turns. Completes normally only for a
 * valid module, so that a caller that stores the bytes can discard a bad archive.
 * @param found receives the files in the last turn, after all bytes were passed on but before the end
 * @throws BadArchive; errors of the body, of a turn and of `found`; the signal's reason
 */
export async function* passArchive(
  body: AsyncIterable<Uint8Array>,
  bounds: ArchiveBounds,
  found: (files: ArchiveFiles) => void | Promise<void>,
  { folder = [], inTurn = (work) => work(), signal }: PassOptions = {},
): AsyncGenerator<Uint8Array> {
  // Another reader would fail at data after the end.
  const gunzip = createGunzip({ rejectGarbageAfterEnd: true, chunkSize: 64 * 1024 });
  const reading = readFiles(gunzip, bounds, folder, signal);
  reading.catch(() => undefined);
  let size = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const unpack = async (): Promise<void> => {
    for (const chunk of held) {
      const written = Promise.withResolvers<void>();
      gunzip.write(chunk, () => written.resolve());
      // A bad archive ends `reading`, and then no more bytes are consumed.
      await Promise.race([written.promise, reading]);
    }
    [held, heldBytes] = [[], 0];
  };
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > bounds.sentBytes) throw tooLarge(bounds);
      yield chunk;
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes >= turnBytes) await inTurn(unpack);
    }
    if (size === 0) throw badArchive('it is empty');
    await inTurn(async () => {
      await unpack();
      gunzip.end();
      await found(await reading);
    });
  } catch (error) {
    throw asBadArchive(error);
  } finally {
    gunzip.destroy();
  }
}

async function readFiles(
  stream: AsyncIterable<Buffer>,
  bounds: ArchiveBounds,
  folder: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ArchiveFiles> {
  const within = folderFinder(folder);
  const kept = new KeptTexts(bounds.configuration, bounds.readmes);
  const paths = new PathChecker(bounds.entries);
  const configured = new Set<string>();
  let entries = 0;
  await readTar(limited(stream, bounds.unpackedBytes, signal), (entry) => {
    if (++entries > bounds.entries) throw badArchive(`it has more than ${bounds.entries} entries`);
    if (entry.size > bounds.unpackedBytes) throw tooMuch(bounds.unpackedBytes);
    const path = within(paths.add(entry));
    if (path === undefined) return undefined;
    // Links aren't followed here. They are common in examples, which no caller of the module runs.
    if (
      entry.kind.endsWith('link') &&
      isConfiguration(path) &&
      isReadable(path) &&
      !path.startsWith('examples/')
    )
      throw badArchive(`${path} is a link, which Terraform unpacks as an empty file: pack the file itself`);
    if (entry.kind !== 'file') return undefined;
    if (isConfiguration(path)) configured.add(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    if (!isReadable(path)) return undefined;
    const bytes = kept.take(path, entry.size);
    if (bytes === undefined) return undefined;
    let at = 0;
    return (chunk) => {
      at += chunk.copy(bytes, at);
    };
  });
  paths.finish();
  if (folder.length > 0 && !configured.has(''))
    throw badArchive(`it has no module in the folder ${folder.join('/')}`);
  if (!configured.has('') && ![...configured].some((path) => path.startsWith('modules/'))) {
    const folders = [...configured].filter((folder) => !folder.includes('/'));
    throw badArchive(
      folders.length === 1
        ? `it has no module at its root, but one in the folder ${folders[0]}: pack the contents of that folder`
        : 'it has no module at its root (no .tf file)',
    );
  }
  return { texts: kept.texts, unread: kept.unread };
}

async function* limited(
  stream: AsyncIterable<Buffer>,
  most: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream) {
    signal?.throwIfAborted();
    size += chunk.length;
    if (size > most) throw tooMuch(most);
    yield chunk;
  }
}

/** The error for an archive with too many bytes. */
export function tooLarge({ sentBytes }: ArchiveBounds): BadArchive {
  return new BadArchive(`The archive is larger than ${sentBytes / 2 ** 20} MiB`, { isTooLarge: true });
}

function tooMuch(most: number): BadArchive {
  return badArchive(`it has more than ${most / 2 ** 20} MiB when it is unpacked`);
}

function asBadArchive(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    if (error.code === 'Z_BUF_ERROR') return badArchive('it ends early: its gzip data is cut off');
    if (error.code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') return badArchive('something follows its end');
    if (error.message === 'incorrect header check')
      return badArchive('it is not gzip: pack the module as a .tar.gz file');
    if (error.code.startsWith('Z_')) return badArchive(`its gzip data is damaged (${error.message})`);
  }
  return error;
}

/**
 * Finds the files of one folder in an archive.
 * @param folder names from the root, of which `*` matches any; only one folder may match
 * @returns a function from a path in the archive to the path in the folder; undefined for paths elsewhere
 * @throws BadArchive (the returned function) when two folders match
 */
function folderFinder(folder: readonly string[]): (path: string) => string | undefined {
  let found: string | undefined;
  return (path) => {
    const parts = path.split('/');
    if (parts.length <= folder.length) return folder.length === 0 ? path : undefined;
    if (!folder.every((name, at) => name === '*' || name === parts[at])) return undefined;
    const start = parts.slice(0, folder.length).join('/');
    found ??= start;
    if (found !== start) throw badArchive(`more than one folder in it is called ${folder.join('/')}`);
    return parts.slice(folder.length).join('/');
  };
}
