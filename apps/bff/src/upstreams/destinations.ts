/** Checks addresses that other people named before the console calls them: only public networks are allowed. */
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The address is in a network that isn't public. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/** Special-purpose networks of RFC 6890 and its updates. */
const reserved = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A cloud provider serves its virtual machines at this address, which is formally public.
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

/** Global unicast addresses. All other IPv6 addresses have a special purpose, such as embedding IPv4. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is on the internet. */
export function isPublic(address: string): boolean {
  // A zone names a network interface of this machine.
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 4) return !reserved.check(address, 'ipv4');
  return version === 6 && unicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/** @throws NotPublic if the host is an address that isn't public; names are checked when they are resolved */
export function checkHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublic(host)) throw new NotPublic();
}

/** Resolves a name to its addresses. */
export type Resolve = (
  hostname: string,
  found: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (hostname, found) => lookup(hostname, { all: true }, found);

/**
 * Creates a lookup that fails unless all of a name's addresses are public. The connection uses a checked address, and a
 * name that also resolves to another network isn't trusted.
 * @param resolve default: the system's resolver
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

/** Looks a name up and keeps only its public addresses. The connection uses a checked address. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first, ...others] = error === null ? found.filter(({ address }) => isPublic(address)) : [];
    if (first === undefined) callback(error ?? new NotPublic(), '', 0);
    else if (options.all === true) callback(null, [first, ...others]);
    else callback(null, first.address, first.family);
  });
};
