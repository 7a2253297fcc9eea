import { createHmac, timingSafeEqual } from 'node:crypto';

/** The lifetime of a code in seconds; `digits` is its length. */
const stepSeconds = 30;
const digits = 6;
/** How many steps an app's clock may be early or late. */
const tolerance = 1;

/** The time step at a moment. @param now milliseconds since the epoch */
export function totpStep(now: number): number {
  return Math.floor(now / 1000 / stepSeconds);
}

/**
 * The code of a time step, by RFC 6238 over RFC 4226, with SHA-1 and six digits, like all authenticator apps.
 * @param secret the shared key, raw
 */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = (mac.readUInt32BE(at) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/**
 * The step around `now` that a code belongs to; undefined if there is none, or if the code has been used.
 * @param lastStep the step of the last used code
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  now: number,
  lastStep: number,
): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const current = totpStep(now);
  for (let step = Math.max(current - tolerance, lastStep + 1); step <= current + tolerance; step++) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step;
  }
  return undefined;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding (RFC 4648), the form in which apps accept a key. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}
