import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Whether an address is a proxy whose X-Forwarded-For is trusted. */
export type ProxyTest = (address: string) => boolean;

/** How much of a forwarding header is read, from its end, in characters: enough for over twenty hops. */
const mostRead = 1000;

/**
 * The address of the machine that sent a request: the connection's peer or, if that is a trusted proxy, the last entry
 * of X-Forwarded-For that is not a trusted proxy. Empty for a Unix socket.
 */
export function addressThrough(isProxy: ProxyTest, req: IncomingMessage): string {
  const peer = plainAddress(req.socket.remoteAddress);
  if (!isProxy(peer)) return peer;
  const hops = fieldEntries(req, 'x-forwarded-for').map((entry) => plainAddress(withoutPort(entry)));
  const last = hops.findLast((address) => !isProxy(address));
  return last === undefined || isIP(last) === 0 ? peer : last;
}

const proxiesOf = new WeakMap<IncomingMessage, ProxyTest>();

/** Sets the proxies that `clientAddress` trusts for a request. */
export function believeProxies(req: IncomingMessage, isProxy: ProxyTest): void {
  proxiesOf.set(req, isProxy);
}

/** The address that a request to a service's port comes from; undefined when a Unix socket's client names none. */
export function clientAddress(req: IncomingMessage): string | undefined {
  const address = addressThrough(proxiesOf.get(req) ?? (() => false), req);
  return address === '' ? undefined : address;
}

/** Builds a test for membership in a list of addresses and networks. @throws RangeError for an entry that is neither */
export function addressList(entries: readonly string[]): ProxyTest {
  const list = new BlockList();
  for (const entry of entries) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
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

const loopback = addressList(['127.0.0.0/8', '::1']);

/** Whether a host is this machine: an address (IPv6 with or without brackets) or a lowercase host name. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return loopback(host.replace(/^\[(.*)\]$/, '$1'));
}

/** Normalizes an address: its shortest form, with IPv4-mapped IPv6 as IPv4. Empty for a Unix socket, which has none. */
export function plainAddress(address = ''): string {
  const text = address.trim();
  if (!isIPv6(text)) return text;
  const short = new URL(`http://[${text.replace(/%.*/s, '')}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short);
  if (mapped === null) return short;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** Removes the port that some proxies append in X-Forwarded-For: `203.0.113.7:51234`, `[2001:db8::7]:51234`. */
function withoutPort(entry: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/.exec(entry) ?? [];
  return ipv4 ?? ipv6 ?? entry;
}

/** The last entries of a comma-separated header. */
export function fieldEntries(req: IncomingMessage, name: string): string[] {
  const text = String(req.headers[name] ?? '').slice(-mostRead);
  return text.split(',').map((part) => part.trim());
}

/** Networks in which one machine can use any address. */
const takenWhole = [
  // This machine itself.
  { network: '127.0.0.0/8', has: addressList(['0.0.0.0/8', '127.0.0.0/8', '::', '::1']) },
  { network: '169.254.0.0/16', has: addressList(['169.254.0.0/16']) },
];

/**
 * The network that an address is counted by: the /64 of an IPv6 address, one network for all loopback addresses,
 * otherwise the address itself.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  const whole = takenWhole.find(({ has }) => has(plain));
  if (whole !== undefined) return whole.network;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...(plain.includes('::') ? zeros : []), ...right].slice(0, 4).join(':');
}
