import type { RequestListener } from 'node:http';
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * A handler that answers under loopback's names and `names` alone, whatever the port, and 421 under others: a page of another
 * site can have a name of its own lead here (DNS rebinding), and would then be of the same origin.
 */
export function underNames(handler: RequestListener, names: readonly string[]): RequestListener {
  const allowed = new Set(names.map((name) => name.toLowerCase()));
  return (req, res) => {
    const name = hostNameOf(req.headers.host ?? '');
    if (isLoopback(name) || allowed.has(name)) {
      handler(req, res);
      return;
    }
    const text = JSON.stringify({
      errors: [
        'This name is not one of the server’s. Name it in GATEHOUSE_SERVICE_NAMES where a proxy uses it.',
      ],
    });
    res.writeHead(421, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      Connection: 'close',
    });
    res.end(text);
  };
}

/** The name of a Host field, in small letters, without its port and the brackets of an IPv6 address. */
function hostNameOf(field: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(field) ?? [];
  return (bracketed ?? plain ?? '').toLowerCase();
}

/** Whether an address (an IPv6 one with or without brackets) or a host name in small letters means this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
