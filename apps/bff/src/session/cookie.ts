import type { IncomingHttpHeaders } from 'node:http';

/**
 * The session cookie: `__Host-gatehouse` over https. Browsers refuse that prefix over http, which only loopback uses.
 * There the name contains the port, because cookies don't distinguish ports.
 */
export type SessionCookie = ReturnType<typeof sessionCookie>;

/** @param https whether browsers reach the console over https */
export function sessionCookie(https: boolean) {
  const nameOn = (port: number): string => (https ? '__Host-gatehouse' : `gatehouse-${port}`);
  const attributes = `Path=/; ${https ? 'Secure; ' : ''}HttpOnly; SameSite=Strict`;
  return {
    /** The value in a request; undefined without one, and with several of one name. */
    read(headers: IncomingHttpHeaders, port: number): string | undefined {
      const prefix = `${nameOn(port)}=`;
      const { cookie = '' } = headers;
      if (!cookie.includes(prefix)) return undefined;
      const found = cookie
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(prefix));
      // One of two cookies of the same name was planted, and nothing shows which.
      return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
    },
    /** The Set-Cookie header that stores `value` until the browser is closed. */
    store: (value: string, port: number): string => `${nameOn(port)}=${value}; ${attributes}`,
    /** The Set-Cookie header that removes the cookie. */
    clear: (port: number): string => `${nameOn(port)}=; Max-Age=0; ${attributes}`,
  };
}
