import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ActivationClaims } from './types.ts';

const header = encode({ alg: 'HS256', typ: 'JWT' });

/**
 * Creates an activation token: a JWT (RFC 7519) with the primary's API address and the wrapping token of the
 * credentials.
 * @param key of the primary, 32 bytes
 */
export function signActivation({ addr, jti, iat, exp }: ActivationClaims, key: Uint8Array): string {
  const content = `${header}.${encode({ addr, jti, iat, exp, type: 'wrapping' })}`;
  return `${content}.${signature(content, key).toString('base64url')}`;
}

/** Parses a token without verifying it: only the primary that created the token can, with `verifyActivation`. */
export function readActivation(token: string): ActivationClaims | undefined {
  const [, payload, , ...rest] = token.split('.');
  if (payload === undefined || rest.length > 0) return undefined;
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (typeof claims !== 'object' || claims === null) return undefined;
  if (!('type' in claims) || claims.type !== 'wrapping') return undefined;
  if (!('addr' in claims) || typeof claims.addr !== 'string') return undefined;
  if (!('jti' in claims) || typeof claims.jti !== 'string') return undefined;
  if (!('iat' in claims) || typeof claims.iat !== 'number') return undefined;
  if (!('exp' in claims) || typeof claims.exp !== 'number') return undefined;
  return { addr: claims.addr, jti: claims.jti, iat: claims.iat, exp: claims.exp };
}

/**
 * Verifies and parses a token of this primary; undefined if another primary created it or it was changed. The caller
 * must check whether it has expired.
 */
export function verifyActivation(token: string, key: Uint8Array): ActivationClaims | undefined {
  const cut = token.lastIndexOf('.');
  const content = token.slice(0, Math.max(cut, 0));
  if (!content.startsWith(`${header}.`)) return undefined;
  const given = Buffer.from(token.slice(cut + 1), 'base64url');
  const right = signature(content, key);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return readActivation(token);
}

function signature(content: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part), 'utf8').toString('base64url');
}
