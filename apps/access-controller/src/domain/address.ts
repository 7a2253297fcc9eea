import { isIPv4, isIPv6 } from 'node:net';

const hostName = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*\.?$/;
const looksLikeIPv4 = /^\d+(?:\.\d+){3}$/;

/** Lengths of an address, in characters. */
export const addressLength = { min: 3, max: 255 } as const;

/** The normalized address, or the reason why it is refused. */
export type ParsedAddress = { readonly address: string } | { readonly fault: string };

/**
 * Parses the address of a target: a host name, an IPv4 or an IPv6 address, without a port. Trims it, formats IPv6 as
 * in RFC 5952, and turns an IPv4-mapped IPv6 address into IPv4.
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = text.trim();
  if (trimmed.length < addressLength.min || trimmed.length > addressLength.max) {
    return {
      fault: `Address length must be between ${addressLength.min} and ${addressLength.max} characters.`,
    };
  }
  const bracketed = /^\[(.*)\]$/.exec(trimmed)?.[1];
  const bare = bracketed ?? trimmed;
  if (isIPv6(bare)) {
    if (bare.includes('%')) return unreadable;
    const address = normalizeIPv6(bare);
    // Checks the length again: a long spelling of the unspecified address normalizes to `::`, which is too short.
    return address.length < addressLength.min ? wrongLength : { address };
  }
  if (/^\[.*\]:\d*$/.test(trimmed) || /^[^:]*:\d*$/.test(trimmed))
    return { fault: 'Address does not support a port.' };
  if (bracketed !== undefined) return unreadable;
  if (looksLikeIPv4.test(trimmed)) return isIPv4(trimmed) ? { address: trimmed } : unreadable;
  return hostName.test(trimmed) ? { address: trimmed } : unreadable;
}

const wrongLength: ParsedAddress = {
  fault: `Address length must be between ${addressLength.min} and ${addressLength.max} characters.`,
};
const unreadable: ParsedAddress = {
  fault: 'Error parsing address: it is neither a host name nor an IP address.',
};

function normalizeIPv6(address: string): string {
  const normal = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(normal);
  if (mapped === null) return normal;
  const high = Number.parseInt(mapped[1] ?? '0', 16);
  const low = Number.parseInt(mapped[2] ?? '0', 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
