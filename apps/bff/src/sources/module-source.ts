/** Reads a module registry as a move's source, by the module registry protocol. */
import { nameLimit } from '@gatehouse/api-types/console/box-names';
import { compareModuleVersions } from '@gatehouse/api-types/console/module-values';
import type { Deprecation } from '@gatehouse/api-types/console/modules';
import {
  discovery,
  listedModule,
  location,
  sourceModule,
  sourceModulePage,
  sourceModuleVersion,
  sourceModuleVersions,
  versionedModule,
  type WireListedModule,
} from '@gatehouse/api-types/services/module-source';
import type { Slices } from '@gatehouse/service-kit/slices';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import * as z from 'zod/mini';
import { NotRead, readLocation, type ArchiveLocation } from '#upstreams/module-registry/location.ts';
import { deprecationOf } from '#upstreams/module-registry/resources.ts';
import { buildPath, isSegment } from '#upstreams/path.ts';
import { sorted } from './sorted.ts';
import { readFile } from './source-bytes.ts';
import { checkListed, SourceError } from './source-error.ts';
import type { JsonAnswer, SourceFetch } from './source-fetch.ts';
import type { ListOptions, ModuleSource, SourceModule, SourceModuleVersion } from './source.ts';

/** The header in which clients of module registries send a token. */
export function moduleCredentials(token: string): Readonly<Record<string, string>> {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

/** Most pages read of a list, and modules per page. Some registries send more, or all in one page. */
const mostPages = 1_000;
const pageSize = 100;
/** Most versions read of one module, and most bytes of one of its texts. */
const mostVersions = 10_000;
const longestText = 4_096;

/** How an operation is called. */
interface Asking {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Whether the answer is only an address. */
  readonly isShort?: boolean;
}

export function createModuleSource(fetch: SourceFetch): ModuleSource {
  let found: URL | undefined;

  /** The base address of its operations; the given address without discovery. */
  const baseOf = async (options: ListOptions): Promise<URL> => {
    found ??= await discover(fetch, options);
    return found;
  };

  /** Calls an operation of the registry. @returns null if the answer says that the registry lacks the operation */
  const ask = async (
    names: readonly string[],
    options: ListOptions,
    { query = {}, isShort = false }: Asking = {},
  ): Promise<JsonAnswer | null> => {
    const base = await baseOf(options);
    const url = new URL(base.origin + buildPath(trimEndSlashes(base.pathname), names, { query }));
    try {
      return await fetch.json(url, { ...options, isShort });
    } catch (error) {
      if (error instanceof SourceError && isNotThere(error)) return null;
      throw error;
    }
  };

  /**
   * The wanted names of a list; null if there is no such list.
   * @throws SourceError for a list that continues after the console's limit
   */
  const list = async (
    isOwn: (module: WireListedModule) => boolean,
    names: readonly string[],
    options: ListOptions,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Set<string> | null> => {
    const found = new Set<string>();
    for (let offset = 0, page = 0; page < mostPages; page++) {
      const answer = await ask(names, options, { query: { ...query, limit: pageSize, offset } });
      if (answer === null) return page === 0 ? null : found;
      const { meta, modules } = read(sourceModulePage, answer.json);
      checkListed(modules.length, 'modules');
      for (const entry of modules) {
        await options.slices.giveWay();
        const one = read(listedModule, entry);
        if (isOwn(one)) found.add(`${one.namespace}/${one.name}/${one.provider}`);
      }
      const next = meta.next_offset;
      checkListed(found.size, 'modules');
      // A page that doesn't lead on would be requested forever.
      if (next === null || next <= offset) return found;
      offset = next;
    }
    throw new SourceError(
      'payload-too-large',
      'The source lists more modules than the console reads. Name the ones to move.',
    );
  };

  return {
    async modulesOf(namespace, name, options) {
      const names = name === undefined ? [namespace] : [namespace, name];
      const isOwn = (one: WireListedModule): boolean =>
        one.namespace.toLowerCase() === namespace.toLowerCase() &&
        (name === undefined || one.name === name) &&
        [one.namespace, one.name, one.provider].every(isSegment);
      const listed =
        (await list(isOwn, names, options)) ??
        (await list(isOwn, ['search'], options, { q: name ?? namespace, namespace }));
      if (listed === null)
        throw new SourceError(
          'not-found',
          "The source doesn't have this namespace, or doesn't list modules. Enter modules as namespace/name/provider.",
          { status: 404 },
        );
      return [...listed];
    },
    async module(namespace, name, provider, options) {
      const names = [namespace, name, provider];
      const answer = await ask([...names, 'versions'], options);
      const detail = answer && (await orNothing(ask(names, options)));
      if (answer === null)
        throw new SourceError('not-found', "The source doesn't have this module, or it requires a token.", {
          status: 404,
        });
      return {
        namespace,
        name,
        provider,
        ...toldOf(detail?.json),
        ...(await versionsIn(answer.json, options.slices)),
      };
    },
    async archivePlace({ namespace, name, provider }, version, options) {
      const names = [namespace, name, provider, version, 'download'];
      const answer = await ask(names, options, { isShort: true });
      if (answer === null)
        throw new SourceError('not-found', 'The source has no archive of this version.', { status: 404 });
      const raw =
        [answer.header('x-terraform-get'), answer.header('x-registry-get')].find(Boolean) ??
        read(location, answer.json).location;
      try {
        const { url, folder, checksum } = archiveAt(raw.trim(), answer.url, fetch);
        if (folder.length > 0)
          throw new NotRead(
            "The module is in a subfolder of its archive, and a copy wouldn't record which one.",
          );
        return {
          kind: 'archive',
          url: url.href,
          checksum: checksum === undefined ? '' : `${checksum.algorithm}:${checksum.hex}`,
        };
      } catch (error) {
        if (error instanceof NotRead) return { kind: 'not-copied', reason: error.message };
        throw error;
      }
    },
    archive: ({ url, checksum }, options) =>
      readFile(fetch, new URL(url), { ...options, isChecked: checksum !== '', anonymous: true }),
  };
}

async function discover(fetch: SourceFetch, options: ListOptions): Promise<URL> {
  const { address } = fetch;
  let answer: JsonAnswer;
  try {
    answer = await fetch.json(new URL('/.well-known/terraform.json', address), { ...options, isShort: true });
  } catch (error) {
    if (error instanceof SourceError && (isNotThere(error) || isTooLarge(error))) return address;
    throw error;
  }
  const told = z.safeParse(discovery, answer.json);
  if (!told.success)
    throw new SourceError('bad-answer', 'The source has no module registry. Check its address.', {
      status: 200,
    });
  const text = told.data['modules.v1'];
  const base = URL.canParse(text, answer.url) ? new URL(text, answer.url) : undefined;
  if (base === undefined || base.search !== '' || base.hash !== '')
    throw new SourceError('bad-answer', 'The source gives an invalid address for its modules.', {
      status: 200,
    });
  fetch.check(base);
  return base;
}

function isNotThere({ code, sourceStatus }: SourceError): boolean {
  return (
    code === 'not-found' ||
    sourceStatus === 405 ||
    sourceStatus === 501 ||
    (code === 'bad-answer' && sourceStatus === 200)
  );
}

/** Nothing for an answer that is too large, because a module is moved without its texts too. */
async function orNothing(answer: Promise<JsonAnswer | null>): Promise<JsonAnswer | null> {
  try {
    return await answer;
  } catch (error) {
    if (isTooLarge(error)) return null;
    throw error;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'payload-too-large';
}

/** @throws NotRead for a location that the console doesn't copy from */
function archiveAt(raw: string, from: URL, fetch: SourceFetch): ArchiveLocation {
  if (raw.length > longestText) throw new NotRead("The archive's address is too long.");
  const place = readLocation(raw, from);
  try {
    fetch.check(place.url);
  } catch (error) {
    if (error instanceof SourceError) throw new NotRead(error.message);
    throw error;
  }
  return place;
}

function read<Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = z.safeParse(schema, json);
  if (result.success) return result.data;
  throw new SourceError(
    'bad-answer',
    "The source's response isn't in the format of the module registry protocol. Check its address.",
    { status: 200 },
  );
}

/** What a registry says about a module besides its versions; nothing if it has no such operation. */
function toldOf(json: unknown): Pick<SourceModule, 'description' | 'sourceUrl'> {
  const told = z.safeParse(sourceModule, json);
  return told.success
    ? {
        description: told.data.description.slice(0, longestText),
        sourceUrl: withoutUser(told.data.source.slice(0, longestText)),
      }
    : { description: '', sourceUrl: '' };
}

/** An address for display, without a name and password left in it. */
function withoutUser(text: string): string {
  return text.replace(/^([a-z0-9+.:-]*:\/\/)[^/?#]*@/i, '$1');
}

/** The part of a deprecation message that is kept. */
function cut(said: Deprecation | null): Deprecation | null {
  if (said === null) return null;
  const { state, message, replacement, link, time } = said;
  return {
    state,
    message: message.slice(0, longestText),
    replacement: replacement.slice(0, longestText),
    link: link.slice(0, longestText),
    time: time.slice(0, longestText),
  };
}

/** The answer's first module is the requested one. */
async function versionsIn(
  json: unknown,
  slices: Slices,
): Promise<Pick<SourceModule, 'versions' | 'problems'>> {
  const versions = new Map<string, SourceModuleVersion>();
  const problems: string[] = [];
  const [first = {}] = read(sourceModuleVersions, json).modules;
  const listed = read(versionedModule, first).versions;
  if (listed.length > mostVersions)
    throw new SourceError(
      'payload-too-large',
      `The source lists more than ${mostVersions} versions of this module, which is more than the console reads.`,
    );
  for (const [index, entry] of listed.entries()) {
    await slices.giveWay();
    const parsed = z.safeParse(sourceModuleVersion, entry);
    const number = parsed.success ? parsed.data.version : '';
    if (!parsed.success || number.length > nameLimit || !isSegment(number)) {
      problems.push(`Entry ${index + 1} in the list of versions has an unreadable number and is skipped.`);
      continue;
    }
    const { version, deprecation } = parsed.data;
    if (!versions.has(version))
      versions.set(version, { version, deprecation: cut(deprecationOf(deprecation)) });
  }
  return {
    versions: await sorted(
      [...versions.values()],
      (one, other) => compareModuleVersions(other.version, one.version),
      slices,
    ),
    problems,
  };
}
