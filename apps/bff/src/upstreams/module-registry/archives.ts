/** Reads what module archives declare: uploaded archives, and archives at a location that a registry names. */
import { createHash } from 'node:crypto';
import type { ModuleContent, ModuleFolder } from '@gatehouse/api-types/console/modules';
import { BadArchive, ReaderBusy } from '@gatehouse/module-archive/bad-archive';
import type { ContentReader } from '@gatehouse/module-archive/content-reader';
import type { ArchiveFiles } from '@gatehouse/module-archive/files';
import type { ModuleContent as HeldContent } from '@gatehouse/module-archive/module-content';
import {
  archiveBounds,
  passArchive,
  type ArchiveBounds,
  type PassOptions,
} from '@gatehouse/module-archive/read-archive';
import { boundAnswers } from '@gatehouse/service-kit/piece-bound';
import { turnsByKey } from '@gatehouse/service-kit/turns';
import { LRUCache } from 'lru-cache';
import { Agent, errors, type Dispatcher } from 'undici';
import type { ServiceConfig } from '#config/config.ts';
import { checkHost, lookupPublic, NotPublic } from '../destinations.ts';
import { NotRead, type ArchiveLocation } from './location.ts';
import { ownUrlOf, type OwnAddresses } from './own-address.ts';

/** An archive that was read. */
export interface ReadArchive {
  readonly size: number;
  readonly sha256: string;
  readonly content: ModuleContent;
}

/** The user in whose turn an archive is read. */
export interface ArchiveReader {
  readonly username: string;
  /** Aborts when the user leaves. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads archives for one registry. */
export type Archives = ReturnType<typeof createArchives>;

/** The deadline for a whole archive, in milliseconds. */
const deadlineMs = 30_000;
/** Archives that are fetched from a host at once, for all users and for one. The deadline doesn't include the wait. */
const atOnce = 8;
const ownAtOnce = 2;
const mostRedirects = 5;
/** The maximum size of the cache, in characters of JSON. */
const rememberedSize = 16 * 1024 * 1024;

type Settings = Pick<ServiceConfig, 'endpoint' | 'ca' | 'archiveOrigins'> & OwnAddresses;

export function createArchives(settings: Settings, content: ContentReader) {
  const { endpoint, ca, archiveOrigins = [], ownUrl } = settings;
  const agent = (connect: object): Dispatcher =>
    new Agent({
      connections: atOnce,
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
      connect: { timeout: 5_000, ...connect },
    }).compose(boundAnswers);
  const trusted = { ...(ca !== undefined && { ca }) };
  const own = agent({ ...trusted, ...(endpoint.kind === 'socket' && { socketPath: endpoint.path }) });
  const listed = agent(trusted);
  const open = agent({ lookup: lookupPublic(false) });
  const remembered = remember();
  const fetchInTurn = turnsByKey({ atOnce, ownAtOnce, mostOwn: Infinity, mostWaiting: Infinity });

  /** How to connect. Only the registry's own host and the configured origins may be in private networks. */
  const placeOf = (url: URL) => {
    const at = ownUrlOf(settings, url);
    if (at !== undefined) return { agent: own, origin: ownUrl.origin, path: at.pathname + at.search };
    const place = { origin: url.origin, path: url.pathname + url.search };
    if (archiveOrigins.includes(url.origin)) return { agent: listed, ...place };
    checkHost(url);
    return { agent: open, ...place };
  };

  const answerAt = async (first: URL, signal: AbortSignal) => {
    let url = first;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const { agent: by, origin, path } = placeOf(url);
      const headers = { 'user-agent': 'gatehouse', 'accept-encoding': 'identity' };
      const answer = await by.request({ method: 'GET', origin, path, headers, signal });
      const { location } = answer.headers;
      if (answer.statusCode === 200 && answer.headers['content-encoding'] === undefined) return answer.body;
      // Destroying an unread body emits an error on the body, which nothing else would handle.
      answer.body.on('error', () => undefined).destroy();
      if (answer.statusCode === 200)
        throw new NotRead("The server sent the archive with a Content-Encoding that wasn't requested.");
      const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode);
      if (!isRedirect || typeof location !== 'string' || !URL.canParse(location, url))
        throw new NotRead(`The archive couldn't be fetched (status ${answer.statusCode}).`);
      url = new URL(location, url);
      if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
        throw new NotRead(
          "The address redirects to one that isn't http or https, or that contains a user name or password.",
        );
    }
    throw new NotRead(`The address redirects more than ${mostRedirects} times.`);
  };

  const passInTurn = (
    { username, signal }: ArchiveReader,
    body: AsyncIterable<Uint8Array>,
    bounds: ArchiveBounds,
    found: (files: ArchiveFiles) => Promise<void> | void,
    location?: Pick<ArchiveLocation, 'folder' | 'checksum'>,
  ) =>
    pass(body, bounds, found, { signal, inTurn: (work) => content.inTurn(username, work, signal) }, location);

  const readBody = async (
    by: ArchiveReader,
    body: AsyncIterable<Uint8Array>,
    bounds: ArchiveBounds,
    location?: Pick<ArchiveLocation, 'folder' | 'checksum'>,
  ): Promise<ReadArchive> => {
    let held: HeldContent | undefined;
    const found = async (files: ArchiveFiles): Promise<void> => {
      held = await content.read(files);
    };
    const passed = await passInTurn(by, body, bounds, found, location);
    if (held === undefined) throw new Error('an archive was passed on unread');
    return { ...passed, content: contentOf(held) };
  };

  return {
    /** Checks an uploaded archive as a registry would. @throws BadArchive; ReaderBusy; the signal's reason */
    pass: (
      bytes: Uint8Array,
      bounds: ArchiveBounds,
      by: ArchiveReader,
    ): Promise<Pick<ReadArchive, 'size' | 'sha256'>> => passInTurn(by, once(bytes), bounds, () => undefined),
    /** Reads an uploaded archive. @throws BadArchive; ReaderBusy; the signal's reason */
    read: (bytes: Uint8Array, bounds: ArchiveBounds, by: ArchiveReader): Promise<ReadArchive> =>
      readBody(by, once(bytes), bounds),
    /**
     * Fetches an archive without a token and reads it. The result is cached, because versions don't change.
     * @param key identifies the version
     * @param person the user in whose turn the archive is read
     * @throws NotRead with a reason for the user
     */
    fetch: (key: string, location: ArchiveLocation, person: string): Promise<ReadArchive> =>
      remembered(
        `${key} ${location.checksum?.hex ?? location.url.origin + location.url.pathname} ${location.folder.join('/')}`,
        async () => {
          try {
            // Without a signal, because other callers may wait for the same read.
            return await fetchInTurn(location.url.origin, person, async () => {
              const body = await answerAt(location.url, AbortSignal.timeout(deadlineMs));
              return readBody({ username: person }, body, archiveBounds, location);
            });
          } catch (error) {
            throw asNotRead(error);
          }
        },
      ),
    /** @throws NotRead if the address itself shows that it may not be fetched */
    check(url: URL): void {
      try {
        placeOf(url);
      } catch (error) {
        throw asNotRead(error);
      }
    },
    async close(): Promise<void> {
      await Promise.all([own, listed, open].map((one) => one.destroy()));
    },
  };
}

/** Checks an archive while it streams in. @throws BadArchive; NotRead; the errors of `inTurn` and `found` */
async function pass(
  body: AsyncIterable<Uint8Array>,
  bounds: ArchiveBounds,
  found: (files: ArchiveFiles) => Promise<void> | void,
  turns: Pick<PassOptions, 'inTurn' | 'signal'>,
  { folder, checksum }: Pick<ArchiveLocation, 'folder' | 'checksum'> = { folder: [], checksum: undefined },
): Promise<Pick<ReadArchive, 'size' | 'sha256'>> {
  const sha256 = createHash('sha256');
  const named = checksum && createHash(checksum.algorithm);
  let size = 0;
  const checked = (files: ArchiveFiles): Promise<void> | void => {
    if (checksum !== undefined && named?.digest('hex') !== checksum.hex)
      throw new NotRead("The archive's checksum differs from the one the registry reports.");
    return found(files);
  };
  for await (const chunk of passArchive(body, bounds, checked, { ...turns, folder })) {
    size += chunk.length;
    sha256.update(chunk);
    named?.update(chunk);
  }
  return { size, sha256: sha256.digest('hex') };
}

function contentOf({ root, submodules, examples, problems }: HeldContent): ModuleContent {
  return {
    from: 'archive',
    reason: '',
    root: folderOf(root),
    submodules: submodules.map(folderOf),
    examples: examples.map(folderOf),
    problems: [...problems],
  };
}

function folderOf(folder: HeldContent['root']): ModuleFolder {
  return {
    ...folder,
    inputs: folder.inputs.map((input) => ({ ...input, validations: [...input.validations] })),
    outputs: [...folder.outputs],
    dependencies: [...folder.dependencies],
    provider_dependencies: folder.provider_dependencies.map((one) => ({ ...one, aliases: [...one.aliases] })),
    resources: [...folder.resources],
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Turns any error with an archive on another host into the reason for showing the version without it. */
function asNotRead(error: unknown): NotRead {
  if (error instanceof NotRead) return error;
  if (error instanceof BadArchive || error instanceof ReaderBusy) return new NotRead(`${error.message}.`);
  if (error instanceof NotPublic)
    return new NotRead(
      "The address is on a private network and isn't the registry's own. To let the console read from it, add its origin to archive_origins in the console's configuration.",
    );
  if (error instanceof Error && error.name === 'TimeoutError')
    return new NotRead("The archive didn't arrive in time.");
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return new NotRead("The archive couldn't be fetched: it comes in more pieces than the console reads.");
  return new NotRead("The archive couldn't be fetched: its host can't be reached, or closed the connection.");
}

/** An LRU cache of up to `rememberedSize` characters, in which concurrent callers share one read. */
function remember() {
  const known = new LRUCache<string, { readonly reading: Promise<ReadArchive> }>({ maxSize: rememberedSize });
  return (key: string, read: () => Promise<ReadArchive>): Promise<ReadArchive> => {
    const last = known.get(key);
    if (last !== undefined) return last.reading;
    const entry = { reading: read() };
    known.set(key, entry, { size: 1 });
    entry.reading.then(
      (found) => {
        if (known.peek(key) === entry) known.set(key, { ...entry }, { size: JSON.stringify(found).length });
      },
      () => known.delete(key),
    );
    return entry.reading;
  };
}
