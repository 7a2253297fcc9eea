/** Checks addresses that other people named before the console calls them: only public networks are allowed. */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { lookupBy } from '@gatehouse/service-kit/lookup-in-turn';

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
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ResolveOptions {
  /** How long a name is resolved, in milliseconds. */
  readonly ms?: number;
  /** The name servers; the system's unless given. */
  readonly servers?: readonly string[];
}

/**
 * Resolves a name on the internet by DNS alone. A name without a dot is one of a private network. The system's
 * resolver works on two names at once for the whole process, on each for half a minute if no server answers: with
 * names that others give, it would keep the console from services that have names.
 * @throws NotPublic; Error ENOTFOUND
 */
export async function resolveByDns(
  hostname: string,
  { ms = 4_000, servers }: ResolveOptions = {},
): Promise<LookupAddress[]> {
  if (!hostname.includes('.')) throw new NotPublic();
  const resolver = new Resolver({ timeout: ms / 2, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), ms);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(late);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }));
  const [cause] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  throw Object.assign(new Error('the name has no address', { cause }), { code: 'ENOTFOUND' });
}

/**
 * Creates a lookup that finds only public addresses. The connection uses a checked address.
 * @param isEach whether all of a name's addresses must be public: one that also resolves to another network isn't
 *   trusted
 * @param resolve default: by DNS
 */
export function lookupPublic(
  isEach: boolean,
  resolve: Resolve = (name) => resolveByDns(name),
): LookupFunction {
  return lookupBy(async (hostname, { family = 0 }) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
    const found = await resolve(hostname);
    const open = found.filter(({ address }) => isPublic(address));
    const usable = open.filter((one) => wanted === 0 || one.family === wanted);
    if (usable.length === 0 || (isEach && open.length < found.length)) throw new NotPublic();
    return usable;
  });
}
