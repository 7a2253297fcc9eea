import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';

/** A registry's addresses. */
export interface OwnAddresses {
  /** The address that the console calls; a placeholder for a registry behind a socket. */
  readonly ownUrl: URL;
  /** The address at which the registry's own clients reach it; null if unknown. */
  readonly clientUrl: URL | null;
}

/**
 * Maps a URL on the registry's own host to the address that the console calls, because clients may use another one.
 * Undefined for another host, or if the URL contains a password.
 */
export function ownUrlOf({ ownUrl, clientUrl }: OwnAddresses, url: URL): URL | undefined {
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.origin === ownUrl.origin) return url;
  return clientUrl === null ? undefined : moved(url, clientUrl, ownUrl);
}

/** Maps a URL on the registry's own host to the address that its clients use; undefined if unknown. */
export function clientUrlOf({ ownUrl, clientUrl }: OwnAddresses, url: URL): URL | undefined {
  return clientUrl === null ? undefined : moved(url, ownUrl, clientUrl);
}

/** Moves a URL from below one base to below another. */
function moved(url: URL, from: URL, to: URL): URL | undefined {
  const [before, after] = [from, to].map((base) => trimEndSlashes(base.pathname));
  if (url.origin !== from.origin || !`${url.pathname}/`.startsWith(`${before}/`)) return undefined;
  return new URL(`${to.origin}${after}${url.pathname.slice(before?.length)}${url.search}`);
}
