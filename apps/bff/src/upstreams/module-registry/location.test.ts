import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotRead, readLocation } from './location.ts';

const from = new URL('https://registry.example/v1/modules/acme/net/aws/1.0.0/download');
const sum = 'A'.repeat(64);

test.each([
  ['/a.tar.gz', 'https://registry.example/a.tar.gz', [], undefined],
  ['./a.tgz', 'https://registry.example/v1/modules/acme/net/aws/1.0.0/a.tgz', [], undefined],
  ['../a.tgz', 'https://registry.example/v1/modules/acme/net/aws/a.tgz', [], undefined],
  ['https://x.example/a.TAR.GZ', 'https://x.example/a.TAR.GZ', [], undefined],
  ['https://x.example/a?archive=tar.gz', 'https://x.example/a', [], undefined],
  ['https://x.example/a.tgz//b/c', 'https://x.example/a.tgz', ['b', 'c'], undefined],
  ['https://x.example/a//*?archive=tar.gz&k=v', 'https://x.example/a?k=v', ['*'], undefined],
  ['https://x.example/a.tgz//b%20c', 'https://x.example/a.tgz', ['b c'], undefined],
  [
    `https://x.example/a.tgz?s=%2F&checksum=sha256:${sum}&t=+`,
    'https://x.example/a.tgz?s=%2F&t=+',
    [],
    { algorithm: 'sha256', hex: sum.toLowerCase() },
  ],
  [
    `https://x.example/a.tgz?checksum=${'0'.repeat(40)}`,
    'https://x.example/a.tgz',
    [],
    { algorithm: 'sha1', hex: '0'.repeat(40) },
  ],
])('reads %s as an archive', (location, url, folder, checksum) => {
  const found = readLocation(location, from);
  expect({ ...found, url: found.url.href }).toEqual({ url, folder, checksum });
});

test.each([
  ['https://me@x.example/a.tgz', 'user name or password'],
  ['https://me:secret@x.example/a.tgz', 'user name or password'],
  ['http::https://x.example/a.tgz', 'another downloader'],
  ['https://x.example/a.tar.bz2', '.tar.gz archive'],
  ['https://x.example/a.tgz?checksum=sha256:md5:x', 'checksum'],
  ['https://x.example/a.tgz?checksum=crc32:00000000', 'checksum'],
])('refuses to fetch %s', (location, words) => {
  expect(() => readLocation(location, from)).toThrow(NotRead);
  expect(() => readLocation(location, from)).toThrow(words);
});

test('turns any location into an http or https address or a reason', () => {
  const piece = fc.constantFrom(
    'git',
    'http',
    'https',
    's3',
    '::',
    '://',
    '//',
    '/',
    '..',
    '.',
    '?',
    '&',
    'archive=',
    'checksum=',
    'tar.gz',
    '.tgz',
    'sha256:',
    '@',
    ':',
    '%',
    '*',
    '[',
    'x.example',
    '\\',
    ' ',
  );
  const location = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  fc.assert(
    fc.property(location, (text) => {
      try {
        const { url, folder } = readLocation(text, from);
        expect(url.protocol).toMatch(/^https?:$/);
        expect(url.username + url.password).toBe('');
        expect(url.searchParams.has('archive') || url.searchParams.has('checksum')).toBe(false);
        expect(folder.every((part) => part !== '')).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(NotRead);
        expect((error as Error).message).toMatch(/^[A-Z].*\.$/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('treats a getter named like a property of every object as another downloader', () => {
  for (const getter of ['constructor', '__proto__', 'toString', 'file'])
    expect(() => readLocation(`${getter}::https://x.example/a.tar.gz`, from)).toThrow(
      'with another downloader',
    );
});
