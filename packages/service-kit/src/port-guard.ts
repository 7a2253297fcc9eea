import type { IncomingMessage, RequestListener } from 'node:http';
import { isLoopback } from './client-address.ts';
import { HttpError } from './http-error.ts';
import { sendJson } from './http.ts';

export interface PortGuardOptions {
  /** Host names that are accepted besides loopback's, on any port; all names are accepted unless given. */
  readonly names: readonly string[] | undefined;
  /** The body of a refusal in the service's own wire format. */
  readonly errorBody: (error: HttpError) => unknown;
}

/**
 * Wraps a handler to refuse requests from web pages before they are read or counted. Services serve no pages, and
 * command-line clients send neither `Origin` nor `Sec-Fetch-Site`.
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
  // Another site can point a name at this address (DNS rebinding), which makes its pages same-origin.
  if (allowed !== undefined && !isLoopback(name) && !allowed.has(name)) {
    return new HttpError(
      421,
      'host_refused',
      "This host name isn't allowed. If a proxy uses it, add it to GATEHOUSE_SERVICE_NAMES.",
    );
  }
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  // A proxy may serve HTTPS for this port. Another port of the same host is another origin, though the same site.
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && (site === 'none' || site === 'same-origin')) return undefined;
  return new HttpError(
    403,
    'origin_refused',
    'Requests from web pages of other sites are refused. Use the console or a command line instead.',
  );
}

/** The name in a Host header, without its port and without the brackets of an IPv6 address. */
function hostNameOf(field: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(field) ?? [];
  return bracketed ?? plain ?? '';
}
