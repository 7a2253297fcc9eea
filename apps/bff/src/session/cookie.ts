import type { IncomingHttpHeaders } from 'node:http';

/**
 * The session cookie: `__Host-gatehouse` over https. On http, which is served on loopback alone, browsers refuse
 * that prefix; there the name carries the port, for cookies do not tell ports apart.
 */
export type SessionCookie = ReturnType<typeof sessionCookie>;

/** @param https whether browsers reach the console over https */
export function sessionCookie(https: boolean) {
  const nameOn = (port: number): string => (https ? '__Host-gatehouse' : `gatehouse-${port}`);
  const attributes = `Path=/; ${https ? 'Secure; ' : ''}HttpOnly; SameSite=Strict`;
  return {
    /** The value that a request carries; undefined without one, or with several of one name. */
    read(headers: IncomingHttpHeaders, port: number): string | undefined {
      const prefix = `${nameOn(port)}=`;
      const found = (headers.cookie ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(prefix));
      // Two of one name: one of them was planted, and it cannot be told which.
      return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
    },
    /** The Set-Cookie header that stores `value` until the browser is closed. */
    store: (value: string, port: number): string => `${nameOn(port)}=${value}; ${attributes}`,
    /** The Set-Cookie header that removes the cookie. */
    clear: (port: number): string => `${nameOn(port)}=; Max-Age=0; ${attributes}`,
  };
}
