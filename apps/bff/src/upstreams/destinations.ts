/** Which addresses the console calls that somebody else has named: none in networks that are not public. */
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
  // What a cloud provider answers its own machines at, though its address is a public one.
  ['168.63.129.16', 32],
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
  // A zone names a network interface of this machine.
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 4) return !reserved.check(address, 'ipv4');
  return version === 6 && unicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** @throws NotPublic for a URL whose host is an address that is not public; names are looked at when they are looked up */
export function checkHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new NotPublic();
}

/** Finds the addresses of a name. */
export type Resolve = (
  hostname: string,
  found: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (hostname, found) => lookup(hostname, { all: true }, found);

/**
 * Looks a name up whose addresses must be public, every one of them: what is connected to is what was looked at, and a
 * name that leads to several networks is not believed.
 * @param resolve the system's resolver unless given
 */
export function lookupAllPublic(resolve: Resolve = systemResolve): LookupFunction {
  return (hostname, { family = 0, all = false }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
    resolve(hostname, (error, found) => {
      const usable = error === null ? found.filter((one) => wanted === 0 || one.family === wanted) : [];
      const [first] = usable;
      if (error !== null) callback(error, '', 0);
      else if (first === undefined || !found.every(({ address }) => isPublic(address)))
        callback(new NotPublic(), '', 0);
      else if (all) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

/** Looks a name up among whose addresses are public ones: what is connected to is what was looked at. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first, ...others] = error === null ? found.filter(({ address }) => isPublic(address)) : [];
    if (first === undefined) callback(error ?? new NotPublic(), '', 0);
    else if (options.all === true) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
