import { createHmac, timingSafeEqual } from 'node:crypto';

export type ArchiveAddresses = ReturnType<typeof archiveAddresses>;

/** Whether an archive URL may be used, and the token that requested it. */
export interface CheckedAddress {
  readonly verdict: 'good' | 'expired' | 'foreign';
  /** Undefined if it was requested without a token. */
  readonly tokenId?: string;
}

/** The archive that a URL is for. */
export interface ArchiveOf {
  readonly id: number;
  /** The file's name. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * Creates and checks archive URLs, which expire and can't be forged.
 * @param key signs the URLs, 32 bytes
 * @param lifetimeMs how long a URL is valid
 */
export function archiveAddresses(key: Uint8Array, lifetimeMs: number) {
  const signatureOf = (versionId: string, expires: string, token: string): Buffer =>
    createHmac('sha256', key).update(`${versionId}\n${expires}\n${token}`).digest();
  return {
    /**
     * The path and query of a version's archive URL, to which clients send no token.
     * @param tokenId the token that requested it, if any
     */
    make({ id, file, sha256 }: ArchiveOf, tokenId: string | undefined = '', now: number): string {
      const expires = String(now + lifetimeMs);
      const query = new URLSearchParams({
        expires,
        ...(tokenId !== '' && { token: tokenId }),
        signature: signatureOf(String(id), expires, tokenId).toString('base64url'),
        // These two are for the client, which removes them, unpacks the file and verifies it.
        archive: 'tar.gz',
        checksum: `sha256:${sha256}`,
      });
      return `/v1/archives/${id}/${encodeURIComponent(file)}?${query}`;
    },
    /** Whether a URL was created here and hasn't expired at `now`. */
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
