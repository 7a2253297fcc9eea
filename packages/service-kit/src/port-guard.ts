import type { IncomingMessage, RequestListener } from 'node:http';
import { isLoopback } from './client-address.ts';
import { HttpError } from './http-error.ts';
import { sendJson } from './http.ts';

/** What `guardPort` compares requests with. */
export interface PortGuardOptions {
  /** Host names that are answered beside loopback's, whatever the port; any name is unless given. */
  readonly names: readonly string[] | undefined;
  /** The body of a refusal in the service's own wire form. */
  readonly errorBody: (error: HttpError) => unknown;
}

/**
 * A handler that refuses what web pages send, before anything of it is read or counted. No service serves a page, and
 * command lines send neither `Origin` nor `Sec-Fetch-Site`.
 */
export function guardPort(handler: RequestListener, { names, errorBody }: PortGuardOptions): RequestListener {
  const allowed = names && new Set(names.map((name) => name.toLowerCase()));
  return (req, res) => {
    const refusal = refusalOf(req, allowed);
    if (refusal === undefined) handler(req, res);
    else sendJson(res, refusal.status, errorBody(refusal), { Connection: 'close' });
  };
}

function refusalOf(
  { headers }: IncomingMessage,
  allowed: ReadonlySet<string> | undefined,
): HttpError | undefined {
  const host = (headers.host ?? '').toLowerCase();
  const name = hostNameOf(host);
  // A page of another site can have a name of its own lead here (DNS rebinding), and would then be of the same origin.
  if (allowed !== undefined && !isLoopback(name) && !allowed.has(name)) {
    return new HttpError(
      421,
      'host_refused',
      "This host name isn't allowed. If a proxy uses it, add it to GATEHOUSE_SERVICE_NAMES.",
    );
  }
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  // A proxy may serve https for the port. Another port of the same host is another origin, though of the same site.
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && (site === 'none' || site === 'same-origin')) return undefined;
  return new HttpError(
    403,
    'origin_refused',
    'Requests from web pages of other sites are refused. Use the console or a command line instead.',
  );
}

/** The name of a Host field without its port and the brackets of an IPv6 address. */
function hostNameOf(field: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(field) ?? [];
  return bracketed ?? plain ?? '';
}
