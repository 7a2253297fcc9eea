/** Fuzzes every operation on modules. Each answers any input in the console's words. */
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { smallModule } from '@gatehouse/module-archive/testing/archives';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startModules } from '#test/modules.ts';

const runs = process.env['GATEHOUSE_DEEP'] === '1' ? 6000 : 150;
const canary = 'canary-in-a-name';
const subjects = allEndpoints.filter(({ path }) => path.includes('/:environment/modules'));

const awkward = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '../../tokens/self',
    '..\\..\\x',
    'a/b',
    '%2e%2e',
    '%2e%2e%2f%2e%2e',
    '\u0000',
    '\u202e\u200b',
    'ＡＣＭＥ',
    '🧨',
    '__proto__',
    'self',
    'search',
    'versions',
    'v1.0',
    '1.0.0+1',
    '1'.repeat(300),
    `${canary}${'a'.repeat(5000)}`,
    '',
  ),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  awkward,
  fc.double(),
  fc.constantFrom(null, [], {}, true, 2 ** 53, -0, smallModule().toString('base64'), 'deprecated'),
);
const names = ['archive', 'description', 'source', 'state', 'message', 'replacement', 'verified', 'password'];
const request = fc.record({
  endpoint: fc.constantFrom(...subjects),
  given: fc.array(awkward, { minLength: 5, maxLength: 5 }),
  isKnown: fc.boolean(),
  body: fc.oneof(fc.dictionary(fc.constantFrom(...names, '__proto__'), value), value),
  query: fc.dictionary(
    fc.constantFrom('q', 'namespace', 'provider', 'verified', 'offset', 'limit', 'x'),
    awkward,
  ),
});

test('every operation answers any input with a documented problem, and the registry gets only known requests', async () => {
  await using modules = await startModules();
  const admin = await modules.signedIn();
  await modules.direct.publish('acme/net/aws/1.0.0', smallModule());
  const asked: string[] = [];
  modules.proxy.onRequest = (bytes) => {
    const line = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD) (\S+) HTTP/.exec(bytes.toString('latin1'))?.[1];
    if (line !== undefined) asked.push(line);
  };
  const known = new Map([
    ['namespace', 'acme'],
    ['name', 'net'],
    ['provider', 'aws'],
    ['version', '1.0.0'],
  ]);
  await fc.assert(
    fc.asyncProperty(request, async ({ endpoint, given, isKnown, body, query }) => {
      let at = 0;
      const path = endpoint.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
        const other = given[at++] ?? '';
        if (name === 'environment') return 'test';
        return encodeURIComponent(isKnown ? (known.get(name) ?? other) : other);
      });
      const search = endpoint.query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
      const answer = await admin.send(endpoint.method, path + search, {
        ...(endpoint.body !== undefined && { body: JSON.stringify(body) }),
        ...(endpoint.guarded === true && { revision: 'x' }),
      });
      if (answer.status < 400) return;
      const { status, headers, json, text } = answer;
      expect([status, headers['content-type']]).toEqual([
        status,
        expect.stringContaining('application/problem+json'),
      ]);
      expect(json).toMatchObject({ status, code: expect.any(String), title: expect.any(String) });
      expect(json['code']).not.toBe('internal');
      expect(String(json['detail']).length).toBeGreaterThan(10);
      expect(text).not.toContain(canary);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: runs },
  );
  expect(asked.length).toBeGreaterThan(20);
  for (const path of asked) {
    const { pathname } = new URL(path, 'http://registry.invalid');
    expect([path, pathname]).toEqual([path, path.replace(/\?.*$/s, '')]);
    expect(pathname).toMatch(
      /^\/(?:v1\/(?:modules|tokens)(?:\/|$)|v2\/modules\/|\.well-known\/terraform\.json$)/,
    );
  }
});
