import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { testClock } from '@gatehouse/service-kit/clock';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildPath, namesIn, SegmentRefused } from './path.ts';
import { createTransport } from './transport.ts';

const hostile = fc.oneof(
  fc.constantFrom(
    '.',
    '..',
    '%2e%2e',
    '%2F',
    '..%2f',
    '%',
    '%00',
    '\u0000',
    '/',
    '\\',
    'a/b',
    'a\\b',
    '?x=1',
    '#x',
    ':delete',
    ' ',
    'é',
    '😀',
    '\ud800',
    'http://evil',
    '//evil',
    '@evil',
    ';x',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

test('sends exactly one segment below the prefix that decodes to the name, or refuses it', async () => {
  const paths: string[] = [];
  const raw = createTcpServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      paths.push(chunk.toString('latin1').split(' ')[1] ?? '');
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const made = createTransport({
    environment: 'test',
    service: 'access',
    config: {
      endpoint: { kind: 'url', url: new URL(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`) },
      signIn: ['password'],
    },
    clock: testClock(),
  });
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      let path: string;
      try {
        path = buildPath('/base/v1/targets', [name], { action: 'add' });
      } catch (error) {
        expect(error).toBeInstanceOf(SegmentRefused);
        return;
      }
      paths.length = 0;
      await made.send({ method: 'GET', path });
      expect(paths).toHaveLength(1);
      const sent = paths[0] ?? '';
      expect(sent.startsWith('/base/v1/targets/')).toBe(true);
      expect(sent.endsWith(':add')).toBe(true);
      const segment = sent.slice('/base/v1/targets/'.length, -':add'.length);
      expect(segment).toMatch(/^[A-Za-z0-9_.!~*'()%-]+$/);
      expect(decodeURIComponent(segment)).toBe(name);
      expect(new URL(sent, 'http://x').pathname).toBe(sent);
    }),
    { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 20_000 : 500 },
  );
  await made.close();
  raw.close();
});

test.each(['', '.', '..', 'a/b', '/', '\u0000', 'a\nb', '\u007f', '\ud800', 'x'.repeat(1025)])(
  'refuses %j',
  (name) => {
    expect(() => buildPath('/v1', [name])).toThrow(SegmentRefused);
  },
);

test('refuses a path and a query that are too long together, whatever they consist of', () => {
  const longest = 16_384;
  const names = (count: number): string[] => Array.from({ length: count }, () => 'a');
  const most = longest / 2 - 2;
  expect(buildPath('/v1', names(most))).toHaveLength(longest - 1);
  const query = { q: 'x' };
  for (const build of [
    () => buildPath('/v1', names(most + 1)),
    () => buildPath('/v1', names(most), { query }),
    () => buildPath('/v1', [], { query: { q: 'x'.repeat(longest) } }),
    () => buildPath('/v1', ['/'.repeat(14_000_000)]),
    () => namesIn('a/'.repeat(7_000_000)),
  ]) {
    expect(build).toThrow(SegmentRefused);
    expect(build).toThrow(/^.{1,200}$/u);
  }
});

test('encodes a percent sign or a backslash once, as data', () => {
  expect(buildPath('/v1', ['100%'])).toBe('/v1/100%25');
  expect(buildPath('/v1', ['%2e%2e'])).toBe('/v1/%252e%252e');
  expect(buildPath('/v1', ['a\\b ', 'c'])).toBe('/v1/a%5Cb%20/c');
  expect(buildPath('/v1', ['a'], { query: { filter: 'a&b=c', none: undefined, all: true } })).toBe(
    '/v1/a?filter=a%26b%3Dc&all=true',
  );
});
