/**
 * The target addresses that an access controller accepts: a host name, an IPv4 or an IPv6 address, 3 to 255 characters,
 * without a scheme, path or port (the port is a separate attribute of the target).
 */

const hostName = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*\.?$/;
const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** A message about what is wrong with an address and how to correct it; undefined if it is valid. */
export function addressProblem(address: string): string | undefined {
  if (address.length < 3 || address.length > 255) return 'An address must have 3 to 255 characters.';
  if (/\s/.test(address)) return "An address can't contain spaces.";
  if (address.includes('://')) return 'Leave out the scheme: enter only the host name or IP address.';
  if (address.includes('/')) return 'Leave out the path: enter only the host name or IP address.';
  if (isIpv6(address)) return undefined;
  if (/^\[.*\](?::\d+)?$/.test(address)) return 'Enter an IPv6 address without brackets and without a port.';
  if (/^[^:]+:\d*$/.test(address)) return 'Leave out the port: it is set on the target, as its default port.';
  if (ipv4.test(address)) {
    return address.split('.').every((part) => Number(part) <= 255)
      ? undefined
      : 'An IPv4 address has four numbers from 0 to 255.';
  }
  if (!hostName.test(address)) return 'This is neither a host name nor an IP address.';
  return undefined;
}

/** Whether a text is an IPv6 address without a zone (RFC 4291, 2.2). */
export function isIpv6(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1);
  let count = groups.reduce((sum, half) => sum + half.length, 0);
  if (last !== undefined && ipv4.test(last)) {
    if (!last.split('.').every((part) => Number(part) <= 255)) return false;
    groups.at(-1)?.pop();
    count += 1;
  }
  if (!groups.flat().every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? count < 8 : count === 8 && address.includes(':');
}
