/** The two addresses of a registry. */
export interface OwnAddresses {
  /** Where the console asks it; of one behind a socket a name that stands for it. */
  readonly ownUrl: URL;
  /** Where its own clients reach it; null where the configuration does not say. */
  readonly clientUrl: URL | null;
}

/**
 * An address on the registry's own host as the console reaches it; undefined for another host, or with a password in it.
 * Clients may know the registry by another address than the console.
 */
export function ownUrlOf({ ownUrl, clientUrl }: OwnAddresses, url: URL): URL | undefined {
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.origin === ownUrl.origin) return url;
  return clientUrl === null ? undefined : moved(url, clientUrl, ownUrl);
}

/** An address on the registry's own host as its clients reach it; undefined where the configuration does not tell. */
export function clientUrlOf({ ownUrl, clientUrl }: OwnAddresses, url: URL): URL | undefined {
  return clientUrl === null ? undefined : moved(url, ownUrl, clientUrl);
}

/** An address below one base as the same below another. */
function moved(url: URL, from: URL, to: URL): URL | undefined {
  const [before, after] = [from, to].map((base) => base.pathname.replace(/\/+$/, ''));
  if (url.origin !== from.origin || !`${url.pathname}/`.startsWith(`${before}/`)) return undefined;
  return new URL(`${to.origin}${after}${url.pathname.slice(before?.length)}${url.search}`);
}
