import { createHmac, timingSafeEqual } from 'node:crypto';

/** Addresses that archives are fetched from: they expire, and cannot be made by anybody else. */
export type ArchiveAddresses = ReturnType<typeof archiveAddresses>;

/** Whether an address may be used, and which token asked for it. */
export interface CheckedAddress {
  readonly verdict: 'good' | 'expired' | 'foreign';
  /** Undefined for somebody without one. */
  readonly tokenId?: string;
}

/** Which archive an address leads to. */
export interface ArchiveOf {
  readonly id: number;
  /** Names the file. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * @param key what addresses are signed with, 32 bytes
 * @param lifetimeMs how long an address can be used
 */
export function archiveAddresses(key: Uint8Array, lifetimeMs: number) {
  const signatureOf = (versionId: string, expires: string, token: string): Buffer =>
    createHmac('sha256', key).update(`${versionId}\n${expires}\n${token}`).digest();
  return {
    /**
     * The path and query of a version's archive: clients send no token there.
     * @param tokenId the token that asked for it, if there was one
     */
    make({ id, file, sha256 }: ArchiveOf, tokenId: string | undefined = '', now: number): string {
      const expires = String(now + lifetimeMs);
      const query = new URLSearchParams({
        expires,
        ...(tokenId !== '' && { token: tokenId }),
        signature: signatureOf(String(id), expires, tokenId).toString('base64url'),
        // These two are the client's: it takes them off, unpacks the file and checks it.
        archive: 'tar.gz',
        checksum: `sha256:${sha256}`,
      });
      return `/v1/archives/${id}/${encodeURIComponent(file)}?${query}`;
    },
    /** Whether an address was made here and has not expired at `now`. */
    check(
      versionId: string,
      { expires, token = '', signature }: Readonly<Record<string, unknown>>,
      now: number,
    ): CheckedAddress {
      if (typeof expires !== 'string' || typeof signature !== 'string' || typeof token !== 'string')
        return { verdict: 'foreign' };
      const given = Buffer.from(signature, 'base64url');
      const expected = signatureOf(versionId, expires, token);
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        return { verdict: 'foreign' };
      if (now >= Number(expires)) return { verdict: 'expired' };
      return { verdict: 'good', ...(token !== '' && { tokenId: token }) };
    },
  };
}
