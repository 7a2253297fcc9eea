import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readActivation, signActivation, verifyActivation } from './activation-token.ts';
import { createActivationKeys, decryptWith, encryptFor } from './encrypted-activation.ts';

const key = randomBytes(32);
const claims = {
  addr: 'https://one.example:8200',
  jti: 'hvs.wrapping',
  iat: 1_790_000_000,
  exp: 1_790_001_800,
};
const activation = { id: 'berlin', addrs: ['127.0.0.1:8201'], exp: claims.exp };

describe('activation tokens', () => {
  test('are JWTs signed with HS256, of the type wrapping', () => {
    const token = signActivation(claims, key);
    const [header = '', payload = '', signature] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({ ...claims, type: 'wrapping' });
    const right = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url');
    expect(signature).toBe(right);
    expect(readActivation(token)).toEqual(claims);
    expect(verifyActivation(token, key)).toEqual(claims);
  });

  test('are accepted only by the primary that signed them', () => {
    const token = signActivation(claims, key);
    const changed = signActivation({ ...claims, exp: claims.exp + 1 }, key);
    const [header, payload] = changed.split('.');
    expect(verifyActivation(token, randomBytes(32))).toBeUndefined();
    expect(verifyActivation(`${header}.${payload}.${token.split('.')[2]}`, key)).toBeUndefined();
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(verifyActivation(`${unsigned}.${payload}.`, key)).toBeUndefined();
  });

  test.each(['', 'hvs.token', 'a.b.c', 'a.bnVsbA.c', 'a.e30.c', `${signActivation(claims, key)}.d`])(
    'are not parsed from other texts: %s',
    (token) => {
      expect(readActivation(token)).toBeUndefined();
      expect(verifyActivation(token, key)).toBeUndefined();
    },
  );
});

describe('encrypted activations', () => {
  test('can be decrypted only with the private key', () => {
    const { publicKey, privateKey } = createActivationKeys();
    expect(Buffer.from(publicKey, 'base64')).toHaveLength(32);
    const token = encryptFor(publicKey, activation) ?? '';
    expect(token).toMatch(/^[\w-]+$/);
    expect(token).not.toBe(encryptFor(publicKey, activation));
    expect(decryptWith(privateKey, token)).toEqual(activation);
    expect(decryptWith(createActivationKeys().privateKey, token)).toBeUndefined();
  });

  test('are refused if any byte was changed', () => {
    const { publicKey, privateKey } = createActivationKeys();
    const bytes = Buffer.from(encryptFor(publicKey, activation) ?? '', 'base64url');
    for (const at of [0, 20, 33, 50, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(decryptWith(privateKey, changed.toString('base64url'))).toBeUndefined();
    }
    expect(decryptWith(privateKey, '')).toBeUndefined();
    expect(decryptWith(privateKey, bytes.subarray(0, 40).toString('base64url'))).toBeUndefined();
  });

  test("can't be created for an invalid public key, or for one that yields the same secret for everyone", () => {
    expect(encryptFor('', activation)).toBeUndefined();
    expect(encryptFor('c2hvcnQ=', activation)).toBeUndefined();
    expect(encryptFor(Buffer.alloc(32).toString('base64'), activation)).toBeUndefined();
  });
});
