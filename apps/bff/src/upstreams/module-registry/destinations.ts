/** Which addresses the console fetches archives from: a registry must not lead it into networks that are not public. */
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** An address of a network that is not public. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/** Special purposes by RFC 6890 and its updates. */
const reserved = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(network, bits, 'ipv6');

/** Unicast addresses of the internet: everything else of IPv6 has a special purpose, IPv4 in IPv6 among it. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one of the internet. */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !reserved.check(address, 'ipv4');
  return version === 6 && unicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** @throws NotPublic for a URL whose host is an address that is not public; names are looked at when they are looked up */
export function checkHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new NotPublic();
}

/** Looks a name up; what is connected to is what was looked at. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first, ...others] = error === null ? found.filter(({ address }) => isPublic(address)) : [];
    if (first === undefined) callback(error ?? new NotPublic(), '', 0);
    else if (options.all === true) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
