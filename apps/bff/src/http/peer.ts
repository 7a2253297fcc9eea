import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '@gatehouse/service-kit/host-names';

/** Who is at the other end of a request, seen through the proxies that the configuration trusts. */
export interface Peers {
  /**
   * The address of the person's machine: the connection's own, or what a trusted proxy says (the last entry of
   * X-Forwarded-For that is not itself a trusted proxy).
   */
  addressOf(req: IncomingMessage): string;
  /** Whether nobody on the way could read the request: loopback, TLS, or a trusted proxy that was reached over https. */
  isPrivate(req: IncomingMessage): boolean;
}

/** @param trustedProxies addresses or networks in CIDR form, as validated by the configuration */
export function peers(trustedProxies: readonly string[]): Peers {
  const trusted = addressList(trustedProxies);
  const addressOf = (req: IncomingMessage): string => {
    const peer = plainAddress(req.socket.remoteAddress);
    if (!trusted(peer)) return peer;
    const forwarded = header(req, 'x-forwarded-for').map(plainAddress);
    for (const address of forwarded.toReversed()) {
      if (isIP(address) === 0) break;
      if (!trusted(address)) return address;
    }
    return peer;
  };
  return {
    addressOf,
    isPrivate(req) {
      if ('encrypted' in req.socket && req.socket.encrypted === true) return true;
      const peer = plainAddress(req.socket.remoteAddress);
      if (trusted(peer)) return header(req, 'x-forwarded-proto').at(-1) === 'https';
      return peer === '' || isLoopback(peer);
    },
  };
}

/** A test for membership in a list of addresses and networks. @throws RangeError for an entry that is neither */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const version = isIP(address);
    if (version === 0) throw new RangeError(`${entry} is neither an IP address nor a network`);
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

/** An address without the IPv6 notation of IPv4 ones; empty for a Unix socket, which counts as loopback. */
function plainAddress(address: string | undefined): string {
  const text = (address ?? '').trim();
  return text.startsWith('::ffff:') ? text.slice(7) : text;
}

function header(req: IncomingMessage, name: string): string[] {
  const value = req.headers[name];
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}
