/** Parses the location of an archive, which registries write in the syntax of their clients' downloader (go-getter). */

/** An archive that can be fetched over http or https. */
export interface ArchiveLocation {
  /** The address to fetch, without parameters that are only for the client. */
  readonly url: URL;
  /** The module's folder in the archive as path segments; `*` stands for any one folder. */
  readonly folder: readonly string[];
  /** Undefined if the location has none. */
  readonly checksum: { readonly algorithm: string; readonly hex: string } | undefined;
}

/** The console doesn't fetch this archive, or couldn't. The message is a sentence for users. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
}

const getters: Readonly<Record<string, string>> = {
  git: 'with Git',
  hg: 'with Mercurial',
  s3: 'from Amazon S3 with their own credentials',
  gcs: 'from Google Cloud Storage with their own credentials',
};

/**
 * The URL that a location refers to.
 * @param from the download endpoint's URL, the base of relative locations
 * @returns undefined unless the URL is http or https
 */
export function addressOf(location: string, from: URL): URL | undefined {
  if (/^[a-z0-9]+::/i.test(location)) return undefined;
  const isRelative = /^(?:\/|\.\.?\/)/.test(location);
  if (!isRelative && !/^https?:\/\//i.test(location)) return undefined;
  return URL.canParse(location, from) ? new URL(location, from) : undefined;
}

/** Parses a location. @throws NotRead if the console doesn't fetch such an archive */
export function readLocation(location: string, from: URL): ArchiveLocation {
  const url = addressOf(location, from);
  if (url === undefined) throw new NotRead(whyNot(location));
  if (url.username !== '' || url.password !== '')
    throw new NotRead("The address contains a user name or password, so the console doesn't fetch it.");
  const { rest, archive, checksum } = takenOff(url.search);
  const at = url.pathname.indexOf('//');
  const path = at === -1 ? url.pathname : url.pathname.slice(0, at);
  const folder =
    at === -1
      ? []
      : url.pathname
          .slice(at)
          .split('/')
          .filter((part) => part !== '');
  checkForm(archive ?? path);
  return {
    url: new URL(`${url.origin}${path}${rest}`),
    folder: folder.map(decoded),
    checksum: checksum === undefined ? undefined : checksumOf(checksum),
  };
}

function whyNot(location: string): string {
  const getter =
    /^([a-z0-9]+)::/i.exec(location)?.[1]?.toLowerCase() ??
    (/^(?:git@|ssh:|git:|(?:www\.)?(?:github\.com|bitbucket\.org|gitlab\.com)\/)/i.test(location)
      ? 'git'
      : '');
  const how = Object.hasOwn(getters, getter) ? getters[getter] : 'with another downloader';
  return `Clients fetch this source ${how}. The console reads archives only over http and https.`;
}

/** Removes the client's parameters from a query. The others keep their exact text, because it may be signed. */
function takenOff(search: string) {
  const parts = search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '');
  const found = new URLSearchParams(search);
  const rest = parts.filter((part) => !/^(?:archive|checksum)(?:=|$)/.test(part)).join('&');
  return {
    rest: rest === '' ? '' : `?${rest}`,
    archive: found.get('archive') ?? undefined,
    checksum: found.get('checksum') ?? undefined,
  };
}

function checkForm(named: string): void {
  if (/(?:^|\.)(?:tar\.gz|tgz)$/i.test(named)) return;
  throw new NotRead("The address doesn't name a .tar.gz archive, the only type the console reads.");
}

const lengths: Readonly<Record<string, number>> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 };

function checksumOf(text: string): NonNullable<ArchiveLocation['checksum']> {
  const [hex = '', named] = text.split(':').toReversed();
  const algorithm = named ?? Object.keys(lengths).find((name) => lengths[name] === hex.length) ?? '';
  if (text.split(':').length > 2 || lengths[algorithm] !== hex.length || !/^[0-9a-f]+$/i.test(hex))
    throw new NotRead(
      "The location's checksum is of a type that the console can't verify, so the archive isn't fetched.",
    );
  return { algorithm, hex: hex.toLowerCase() };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
