import { credentialStoreChanges } from '@gatehouse/api-types/console/credential-sources';
import { secretMembers } from '@gatehouse/api-types/console/secret-members';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TokenSeal } from '#session/token-seal.ts';
import { openWish, sealWish } from './wish.ts';

/** Encrypts nothing, so that the test can read what would be encrypted. */
const open: TokenSeal = {
  seal: (text) => text,
  open: (text) => text,
  opens: () => true,
  renew: () => undefined,
};
const sealed = (body: Record<string, unknown>): string =>
  sealWish(open, 'id', { operation: 'credentialStores.update', params: {}, body, revision: '1' });

test('keeps neither the key of a client certificate nor the token', () => {
  const canary = '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----';
  const body = credentialStoreChanges.parse({
    name: 'store',
    attributes: { address: 'https://x.example', client_certificate_key: canary, token: 'canary' },
  });
  const text = sealed(body);
  expect(text).not.toContain('canary');
  expect(openWish(open, 'id', text)).toEqual({
    operation: 'credentialStores.update',
    params: {},
    secret: true,
    body: { name: 'store', attributes: { address: 'https://x.example' } },
    revision: '1',
  });
});

test('keeps no secret, wherever it is in a body, and everything else', () => {
  const leaf = fc.constantFrom('plain', 1, null);
  const { body } = fc.letrec<{ body: Record<string, unknown>; value: unknown }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('body')),
    body: fc.dictionary(fc.constantFrom('name', 'items', 'token'), tie('value'), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(body, (drawn) => {
      const wish = openWish(open, 'id', sealed(drawn));
      const namesIn = (value: unknown): string[] =>
        Array.isArray(value)
          ? value.flatMap(namesIn)
          : typeof value === 'object' && value !== null
            ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
            : [];
      expect(namesIn(wish.body).filter((name) => secretMembers.has(name))).toEqual([]);
      expect(wish.secret).toBe(namesIn(drawn).some((name) => secretMembers.has(name)));
      if (!wish.secret) expect(wish.body).toEqual(JSON.parse(JSON.stringify(drawn)));
    }),
  );
});
