import { createHmac, timingSafeEqual } from 'node:crypto';

export type UploadAddresses = ReturnType<typeof uploadAddresses>;

/** Creates and checks upload URLs, which expire and can't be forged. @param key signs the URLs, 32 bytes */
export function uploadAddresses(key: Uint8Array, lifetimeMs: number) {
  const signatureOf = (uploadId: string, expires: string): Buffer =>
    createHmac('sha256', key).update(`${uploadId}\n${expires}`).digest();
  return {
    /** How long a URL is valid after its creation, in milliseconds. An upload that has begun may take longer. */
    lifetimeMs,
    /** The path and query of an upload URL. @param expirationTime milliseconds since the epoch */
    make(uploadId: string, expirationTime: number): string {
      const expires = String(expirationTime);
      const signature = signatureOf(uploadId, expires).toString('base64url');
      return `/upload/${uploadId}?expires=${expires}&signature=${signature}`;
    },
    /** Whether a URL was created here and hasn't expired at `now`. */
    check(
      uploadId: string,
      { expires, signature }: Readonly<Record<string, unknown>>,
      now: number,
    ): 'good' | 'expired' | 'foreign' {
      if (typeof expires !== 'string' || typeof signature !== 'string') return 'foreign';
      const given = Buffer.from(signature, 'base64url');
      const expected = signatureOf(uploadId, expires);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'foreign';
      return now < Number(expires) ? 'good' : 'expired';
    },
  };
}
