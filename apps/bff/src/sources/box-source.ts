/** Reads a box registry as a move's source: by version 2 of its API, by version 1, or by its clients' metadata. */
import { nameLimit } from '@gatehouse/api-types/console/box-names';
import { compareVersions } from '@gatehouse/api-types/console/box-values';
import {
  checksumDigits,
  checksumProblem,
  checksumTypes,
  descriptionLimit,
  shortDescriptionLimit,
  type ChecksumType,
} from '@gatehouse/api-types/console/boxes';
import { wantedLimit } from '@gatehouse/api-types/console/moves';
import {
  listedBox,
  sourceBox,
  sourceBoxes,
  sourceProvider,
  sourceVersion,
  type WireSourceProvider,
} from '@gatehouse/api-types/services/box-source';
import type { Slices } from '@gatehouse/service-kit/slices';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import * as z from 'zod/mini';
import { buildPath, isSegment } from '#upstreams/path.ts';
import { largeRows } from './large-turn.ts';
import { sorted } from './sorted.ts';
import { readFile, sizeOfFile } from './source-bytes.ts';
import { checkListed, SourceError } from './source-error.ts';
import type { SourceFetch } from './source-fetch.ts';
import type { BoxSource, ListOptions, SourceBox, SourceImage, SourceVersion } from './source.ts';

/** Headers in which clients of box registries send a token. */
export function boxCredentials(token: string): Readonly<Record<string, string>> {
  return token === '' ? {} : { authorization: `Bearer ${token}`, 'x-atlas-token': token };
}

/** Ways to read a box, the most complete first. Metadata has only released versions of public boxes. */
const forms = ['/api/v2/box', '/api/v1/box', '/api/v2/vagrant', ''] as const;
const apis = ['/api/v2', '/api/v1'] as const;

/** Most pages read of a search, and boxes per page. Some registries send more, or all in one page. */
const mostPages = 1_000;
const pageSize = 100;

/** Most entries read of one box. More would keep the console and its database to itself. */
const mostVersions = 10_000;
const mostImages = 20_000;
const longestAddress = 4_096;

/** @param hasToken whether a token is sent. What the source then refuses isn't read without it. */
export function createBoxSource(fetch: SourceFetch, hasToken: boolean): BoxSource {
  const prefix = trimEndSlashes(fetch.address.pathname);
  const at = (path: string): URL => new URL(fetch.address.origin + prefix + path);
  let known: (typeof forms)[number] | undefined;

  /** The first of several answers that the source has. */
  const firstOf = async <Form extends string>(
    candidates: readonly Form[],
    pathOf: (form: Form) => string,
    options: ListOptions,
  ): Promise<{ readonly form: Form; readonly json: unknown }> => {
    const failures: SourceError[] = [];
    for (const form of candidates) {
      try {
        const { json } = await fetch.json(at(pathOf(form)), options);
        return { form, json };
      } catch (error) {
        if (!(error instanceof SourceError) || !isNotThere(error, hasToken)) throw error;
        failures.push(error);
      }
    }
    // A required token is more informative than a missing older API.
    throw failures.find(({ code }) => code === 'forbidden') ?? failures[0] ?? new Error('nothing was asked');
  };

  const searchFor = async (owner: string, options: ListOptions): Promise<readonly string[]> => {
    const found = new Set<string>();
    const seen = new Set<string>();
    for (let page = 1; page <= mostPages; page++) {
      const query = { q: owner, limit: pageSize, page };
      const { json } = await firstOf(apis, (api) => buildPath(`${api}/search`, [], { query }), options);
      const before = seen.size;
      for (const [username, name] of await namesIn(json, options.slices)) {
        seen.add(`${username}/${name}`);
        if (username.toLowerCase() === owner.toLowerCase()) found.add(`${username}/${name}`);
      }
      // A page without new boxes is the last one, or the first one repeated.
      if (seen.size === before) return withinLimit(found);
      if (seen.size > wantedLimit) break;
    }
    withinLimit(found);
    throw new SourceError(
      'payload-too-large',
      'The source finds more boxes for this owner than the console reads. Name the ones to move.',
    );
  };

  return {
    async boxesOf(owner, options) {
      try {
        const { json } = await firstOf(apis, (api) => buildPath(`${api}/user`, [owner]), options);
        const names = await namesIn(json, options.slices, owner);
        return withinLimit(new Set(names.map(([username, name]) => `${username}/${name}`)));
      } catch (error) {
        if (!(error instanceof SourceError) || !isNotThere(error, hasToken)) throw error;
        const found = await orNothing(searchFor(owner, options), hasToken);
        if (found.length === 0) throw error;
        return found;
      }
    },
    async box(owner, name, options) {
      const { form, json } = await firstOf(
        known === undefined ? forms : [known],
        (one) => buildPath(one, [owner, name]),
        options,
      );
      const found = await boxIn(
        json,
        { owner, name, isMetadata: form === '' || form === '/api/v2/vagrant' },
        { fetch, at, problems: [], ...options },
      );
      known = form;
      return found;
    },
    sizeOf: ({ url }, options) => sizeOfFile(fetch, addressOf(url), { ...options, anonymous: false }),
    image: ({ url, checksum }, options) =>
      readFile(fetch, addressOf(url), { ...options, isChecked: checksum !== '', anonymous: false }),
  };
}

function withinLimit(names: ReadonlySet<string>): readonly string[] {
  checkListed(names.size, 'boxes');
  return [...names];
}

/** Whether an answer says that something doesn't exist, or can't be read in this form. */
function isNotThere({ code, sourceStatus }: SourceError, hasToken: boolean): boolean {
  const isUnreadable = code === 'bad-answer' || code === 'payload-too-large';
  if (code === 'not-found' || (isUnreadable && sourceStatus === 200)) return true;
  return sourceStatus === 405 || sourceStatus === 501 || (code === 'forbidden' && !hasToken);
}

async function orNothing(found: Promise<readonly string[]>, hasToken: boolean): Promise<readonly string[]> {
  try {
    return await found;
  } catch (error) {
    const isLarge = error instanceof SourceError && error.code === 'payload-too-large';
    if (error instanceof SourceError && !isLarge && isNotThere(error, hasToken)) return [];
    throw error;
  }
}

function addressOf(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new SourceError('bad-answer', 'The source gives an invalid address for the image.');
}

function read<Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = z.safeParse(schema, json);
  if (result.success) return result.data;
  throw new SourceError(
    'bad-answer',
    "The source's response isn't in the box API's format. Check its address.",
    { status: 200 },
  );
}

/**
 * Owners and names of boxes. Those that can't be part of an address are left out.
 * @throws SourceError for a list of more boxes than a move takes, of which none is read
 */
async function namesIn(
  json: unknown,
  slices: Slices,
  owner = '',
): Promise<(readonly [owner: string, name: string])[]> {
  const { boxes } = read(sourceBoxes, json);
  checkListed(boxes.length, 'boxes');
  const found: (readonly [owner: string, name: string])[] = [];
  for (const entry of boxes) {
    await slices.giveWay();
    const { username, name, tag } = read(listedBox, entry);
    const [tagOwner = '', tagName = ''] = tag.split('/', 2);
    const names = [username || tagOwner || owner, name || tagName] as const;
    if (names.every(isSegment)) found.push(names);
  }
  return found;
}

interface Asked {
  readonly owner: string;
  readonly name: string;
  readonly isMetadata: boolean;
}

async function boxIn(json: unknown, asked: Asked, reading: Reading): Promise<SourceBox> {
  const { problems, slices, largeTurn } = reading;
  const wire = read(sourceBox, json);
  const tooMany = (what: string): SourceError =>
    new SourceError(
      'payload-too-large',
      `The source lists more than ${what} of this box, which is more than the console reads.`,
    );
  if (wire.versions.length > mostVersions) throw tooMany(`${mostVersions} versions`);
  let listed = 0;
  const versions = new Map<string, SourceVersion>();
  for (const [index, entry] of wire.versions.entries()) {
    await slices.giveWay();
    const parsed = z.safeParse(sourceVersion, entry);
    if (!parsed.success) {
      problems.push(`Entry ${index + 1} in the list of versions has no number and is skipped.`);
      continue;
    }
    const { version, status, providers, description, description_markdown } = parsed.data;
    listed += providers.length;
    if (listed > mostImages) throw tooMany(`${mostImages} images`);
    // Each gets an address, which may be as long as the source's own.
    if (listed > largeRows) await largeTurn?.take();
    if (!isName(version)) {
      problems.push(`Entry ${index + 1} in the list of versions has an unreadable number and is skipped.`);
      continue;
    }
    if (versions.has(version)) {
      problems.push(`Version ${version} is listed twice. The second one is skipped.`);
      continue;
    }
    const state = status === '' ? 'active' : status;
    const isKnown = ['unreleased', 'active', 'revoked'].includes(state);
    if (!isKnown) problems.push(`Version ${version} has an unknown status and is treated as unreleased.`);
    versions.set(version, {
      version,
      description: cut(description_markdown || (asked.isMetadata ? description : '')),
      status: isKnown ? state : 'unreleased',
      images: await imagesIn(providers, { ...asked, version }, reading),
    });
  }
  return {
    owner: asked.owner,
    name: asked.name,
    shortDescription: wire.short_description.slice(0, shortDescriptionLimit),
    description: cut(wire.description_markdown || (asked.isMetadata ? wire.description : '')),
    isPrivate: wire.private,
    versions: await sorted(
      [...versions.values()],
      (one, other) => compareVersions(other.version, one.version),
      slices,
    ),
    problems,
  };
}

/** Whether a registry accepts a name of a version, provider or architecture. */
function isName(name: string): boolean {
  return name.length <= nameLimit && isSegment(name);
}

/** The part of a description that registries keep. */
function cut(text: string): string {
  return text.slice(0, descriptionLimit);
}

interface Reading extends Pick<ListOptions, 'slices' | 'largeTurn'> {
  readonly fetch: SourceFetch;
  readonly at: (path: string) => URL;
  readonly problems: string[];
}

async function imagesIn(
  providers: readonly unknown[],
  asked: Asked & { readonly version: string },
  reading: Reading,
): Promise<SourceImage[]> {
  const images = new Map<string, SourceImage>();
  for (const [index, entry] of providers.entries()) {
    await reading.slices.giveWay();
    const leftOut = (why: string): void => {
      reading.problems.push(
        `Version ${asked.version}: entry ${index + 1} of its providers ${why} and is skipped.`,
      );
    };
    const parsed = z.safeParse(sourceProvider, entry);
    if (!parsed.success || !isName(parsed.data.name)) {
      leftOut('has an unreadable name');
      continue;
    }
    const wire = parsed.data;
    if (wire.architecture !== '' && !isName(wire.architecture)) {
      leftOut('has an unreadable architecture');
      continue;
    }
    const place = placeOf(wire, asked, reading);
    if (place === undefined) {
      leftOut('has no image with an http or https address');
      continue;
    }
    const key = `${wire.name} ${wire.architecture}`;
    if (images.has(key)) {
      leftOut('is listed twice');
      continue;
    }
    const checksum = checksumOf(wire);
    if (checksum === undefined)
      reading.problems.push(
        `Version ${asked.version}: the checksum of ${key.trim()} can't be read and is ignored.`,
      );
    images.set(key, {
      provider: wire.name,
      architecture: wire.architecture || null,
      isDefault: wire.default_architecture,
      ...place,
      checksum: checksum?.hex ?? '',
      checksumType: checksum?.type ?? null,
      size: wire.size,
    });
  }
  return [...images.values()];
}

/** Who hosts an image, and its address; undefined without an image. */
function placeOf(
  { name, architecture, hosted, original_url, download_url, url }: WireSourceProvider,
  { owner, name: box, version, isMetadata }: Asked & { readonly version: string },
  { fetch, at }: Reading,
): Pick<SourceImage, 'hosted' | 'url'> | undefined {
  const said = isMetadata ? url : download_url || url;
  const own = hosted ?? (isMetadata ? undefined : original_url === '');
  if (own === false) return webAddress(original_url || said, at, false);
  if (said !== '') {
    const place = webAddress(said, at, own ?? false);
    return place && { ...place, hosted: own ?? fetch.isOwn(new URL(place.url)) };
  }
  if (own !== true) return undefined;
  const names = [owner, 'boxes', box, 'versions', version, 'providers'];
  const path =
    architecture === '' ? [...names, `${name}.box`] : [...names, name, architecture, 'vagrant.box'];
  return { hosted: true, url: at(buildPath('', path)).href };
}

function webAddress(
  text: string,
  at: (path: string) => URL,
  hosted: boolean,
): Pick<SourceImage, 'hosted' | 'url'> | undefined {
  const base = at('/');
  const url = text !== '' && URL.canParse(text, base) ? new URL(text, base) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href.length <= longestAddress
    ? { hosted, url: url.href }
    : undefined;
}

/** The checksum of an image, if it has one; undefined if it can't be read. */
function checksumOf({
  checksum,
  checksum_type,
}: WireSourceProvider): { readonly hex: string; readonly type: ChecksumType | null } | undefined {
  const hex = checksum.trim().toLowerCase();
  if (hex === '') return { hex, type: null };
  const named = checksum_type.trim().toLowerCase().replace('-', '');
  const type = checksumTypes.find(
    (one) => one === named || (named === '' && checksumDigits[one] === hex.length),
  );
  const isWhole = type !== undefined && /^[0-9a-f]+$/.test(hex) && checksumProblem(hex, type) === undefined;
  return isWhole ? { hex, type } : undefined;
}
