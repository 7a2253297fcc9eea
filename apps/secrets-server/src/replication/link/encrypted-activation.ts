import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { SealBroken, openUnder, sealUnder } from '@gatehouse/service-kit/secret-box';

const publicBytes = 32;
const place = 'gatehouse replication activation';

/**
 * Creates an X25519 key pair (RFC 7748) for encrypted activations, in base64: the 32 bytes of the public key, and the
 * private key in PKCS #8.
 */
export function createActivationKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: rawPublic(publicKey).toString('base64'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/**
 * Encrypts an activation to a secondary's public key, with a fresh key pair and X25519, HKDF-SHA-256 and AES-256-GCM.
 * The result is base64url: the fresh public key, then the ciphertext.
 * @param activation JSON
 * @returns undefined if the public key is invalid
 */
export function encryptFor(publicKey: string, activation: object): string | undefined {
  const receiver = importPublic(Buffer.from(publicKey, 'base64'));
  if (receiver === undefined) return undefined;
  const pair = generateKeyPairSync('x25519');
  const key = sharedKey(pair.privateKey, receiver, [pair.publicKey, receiver]);
  if (key === undefined) return undefined;
  return Buffer.concat([
    rawPublic(pair.publicKey),
    sealUnder(key, JSON.stringify(activation), place),
  ]).toString('base64url');
}

/**
 * Decrypts the result of `encryptFor`; undefined if it was encrypted for another key or changed. The content must be
 * validated, because anyone with the public key can encrypt.
 */
export function decryptWith(privateKey: string, token: string): unknown {
  const bytes = Buffer.from(token, 'base64url');
  const own = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const sender = importPublic(bytes.subarray(0, publicBytes));
  if (sender === undefined) return undefined;
  const key = sharedKey(own, sender, [sender, createPublicKey(own)]);
  if (key === undefined) return undefined;
  try {
    return JSON.parse(openUnder(key, bytes.subarray(publicBytes), place).toString('utf8'));
  } catch (error) {
    if (error instanceof SealBroken || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Undefined for a public key that yields the same secret for every private key. */
function sharedKey(own: KeyObject, other: KeyObject, both: readonly KeyObject[]): Uint8Array | undefined {
  let secret: Buffer;
  try {
    secret = diffieHellman({ privateKey: own, publicKey: other });
  } catch {
    return undefined;
  }
  return new Uint8Array(hkdfSync('sha256', secret, Buffer.concat(both.map(rawPublic)), place, 32));
}

function rawPublic(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
}

function importPublic(bytes: Buffer): KeyObject | undefined {
  if (bytes.length !== publicBytes) return undefined;
  const x = bytes.toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
}
