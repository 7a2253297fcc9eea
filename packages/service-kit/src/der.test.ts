import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derElements, isTlsKey } from './der.ts';
import { derOf, dsaOf, pemOf, rsaOf, rsaPkcs8Of } from './testing/der.ts';

describe('elements in DER', () => {
  test('are read as they were written, up to the first that is cut off', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (contents) => {
        const bytes = Buffer.concat(contents.map((content) => derOf(0x04, content)));
        expect(derElements(bytes).map(({ content }) => [...content])).toEqual(
          contents.map((content) => [...content]),
        );
        expect(derElements(bytes.subarray(0, -1))).toHaveLength(Math.max(0, contents.length - 1));
      }),
    );
  });

  test('are few, and none of them is longer than the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const found = derElements(Buffer.from(bytes));
        expect(found.length).toBeLessThanOrEqual(16);
        expect(found.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});

describe('a private key for TLS', () => {
  const pem = (key: { readonly privateKey: KeyObject }, type: 'pkcs1' | 'pkcs8' | 'sec1' = 'pkcs8'): string =>
    key.privateKey.export({ format: 'pem', type });
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const explicit = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
  const dsa = pemOf('PRIVATE KEY', dsaOf(256));
  const [head = '', ...lines] = pem(rsa).split('\n');

  test.each([
    ['RSA in PKCS#8', pem(rsa)],
    ['RSA in PKCS#1', pem(rsa, 'pkcs1')],
    ['RSA of 4,096 bits', pemOf('PRIVATE KEY', rsaPkcs8Of(513))],
    ['a named curve', pem(curve)],
    ['a named curve in SEC1', pem(curve, 'sec1')],
    ['Ed25519', pem(generateKeyPairSync('ed25519'))],
    ['CRLF', pem(curve).replaceAll('\n', '\r\n')],
  ])('may be %s', (_, text) => {
    expect(isTlsKey(text)).toBe(true);
  });

  test.each([
    ['DSA', dsa],
    ['DSA as if it were RSA', dsa.replaceAll('PRIVATE', 'RSA PRIVATE')],
    ['RSA of more bits', pemOf('PRIVATE KEY', rsaPkcs8Of(514))],
    ['RSA of more bits in PKCS#1', pemOf('RSA PRIVATE KEY', rsaOf(514))],
    ['a curve with its own parameters', pem(explicit)],
    ['a curve with its own parameters in SEC1', pem(explicit, 'sec1')],
    ['two keys', pem(rsa) + dsa],
    // OpenSSL takes what comes before an empty line for headers.
    ['a key behind another', [head, ...lines.slice(0, -2), '', ...dsa.split('\n').slice(1)].join('\n')],
    ['encrypted', pem(rsa).replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n')],
    ['no key', 'AAAA'],
    ['empty', ''],
  ])('may not be %s', (_, text) => {
    expect(isTlsKey(text)).toBe(false);
  });
});
