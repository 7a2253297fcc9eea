import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mappings } from './library.ts';
import { mapCredential } from './mapping.ts';

const fields = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => !name.startsWith('/')),
  fc.string({ minLength: 1 }),
);

test('maps the same credential from an unversioned and from a versioned engine', () => {
  fc.assert(
    fc.property(fields, fc.constantFrom(...Object.keys(mappings)), fc.boolean(), (extra, given, nested) => {
      const type = given as keyof typeof mappings;
      const secret = { ...extra, username: 'u', password: 'p', domain: 'd', private_key: 'k' };
      const answer = nested ? { data: secret, metadata: {} } : secret;
      const { private_key_passphrase: passphrase } = extra;
      const all = { ...secret, ...(passphrase !== undefined && { private_key_passphrase: passphrase }) };
      const wanted = Object.values(mappings[type]).filter((name) => Object.hasOwn(all, name));
      expect(mapCredential(type, {}, answer)).toEqual({
        credential: Object.fromEntries(wanted.map((name) => [name, new Map(Object.entries(all)).get(name)])),
      });
    }),
  );
});

test('an override finds an attribute by name and by JSON pointer', () => {
  fc.assert(
    fc.property(fields, fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (extra, name, value) => {
      fc.pre(!name.startsWith('/') && name !== '__proto__');
      const pointer = `/data/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const data = { ...extra, [name]: value };
      for (const place of [name, pointer]) {
        const mapped = mapCredential('password', { password_attribute: place }, { data, metadata: {} });
        expect(mapped).toEqual({ credential: { password: value } });
      }
    }),
  );
});

test.each([
  ['nothing', {}],
  ['an object', { password: {} }],
  ['null', { password: null }],
  ['empty text', { password: '' }],
  ['the data of what is no versioned engine', { data: { password: 'x' } }],
  ['an inherited member', Object.create({ password: 'x' }) as Record<string, unknown>],
])('finds no password in %s', (_what, answer) => {
  expect(mapCredential('password', {}, answer)).toEqual({ missing: ['password'] });
});

test('a passphrase may be missing unless an override names it', () => {
  const answer = { username: 'u', private_key: 'k' };
  expect(mapCredential('ssh_private_key', {}, answer)).toEqual({ credential: answer });
  expect(mapCredential('ssh_private_key', { private_key_passphrase_attribute: 'phrase' }, answer)).toEqual({
    missing: ['phrase'],
  });
});
