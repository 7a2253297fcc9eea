import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretSearch } from './secret-search.ts';
import { crumbsOf, folderHref, foldersAbove, nameOf, secretHref } from './secrets.ts';

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
  fc.constantFrom(
    'sp ace',
    ' both ',
    '100%',
    'a%2Fb',
    '%5C',
    '%20',
    'quo"te\'s',
    '日本語',
    'cafe\u0301',
    '?',
    '#',
    '+',
    ';',
    '__proto__',
    '~',
    'back\\slash',
    '\\',
    '...',
    '$',
    '*',
    '{{a}}',
    '[0]',
    '<b>',
    '\u200bzero\ufeff',
    '\u202ertl',
    '👩🏽‍🚀',
  ),
);
const path = fc
  .array(
    name.filter((text) => !text.includes('/') && text !== '.' && text !== '..' && text.isWellFormed()),
    { minLength: 1, maxLength: 4 },
  )
  .map((names) => names.join('/'));

test('a path survives a round trip through its address', () => {
  fc.assert(
    fc.property(path, path, (mount, below) => {
      const { pathname, search, hash } = new URL(
        secretHref({ environment: 'local', mount, path: below }, { tab: 'versions', from: 2 }),
        'https://console',
      );
      const [environment, screen, engine = '', kind, ...names] = pathname.slice(1).split('/');
      expect([environment, screen, kind]).toEqual(['local', 'secrets', 'secret']);
      expect(decodeURIComponent(engine)).toBe(mount);
      expect(names.map(decodeURIComponent).join('/')).toBe(below);
      expect(secretSearch.parse(Object.fromEntries(new URLSearchParams(search)))).toEqual({
        tab: 'versions',
        from: 2,
      });
      expect(hash).toBe('');
    }),
    { numRuns: 100 },
  );
});

test('the router decodes a path from its address', () => {
  const root = createRootRoute();
  const route = createRoute({ getParentRoute: () => root, path: '/$environment/secrets/$mount/secret/$' });
  const router = createRouter({ routeTree: root.addChildren([route]), history: createMemoryHistory() });
  fc.assert(
    fc.property(path, path, (mount, below) => {
      router.history.push(secretHref({ environment: 'local', mount, path: below }));
      router.updateLatestLocation();
      const [, params] = router.getMatchedRoutes(router.latestLocation.pathname);
      expect(params).toMatchObject({ mount, _splat: below });
    }),
    { numRuns: 200 },
  );
});

test('folders and breadcrumbs lead from the engine down to the secret', () => {
  const place = { environment: 'local', mount: 'team/kv', path: 'a/b c/d' };
  expect(nameOf(place.path)).toBe('d');
  expect(foldersAbove(place.path)).toEqual(['a', 'a/b c']);
  expect(crumbsOf(place).map(({ label, href }) => [label, href])).toEqual([
    ['Secrets', '/local/secrets'],
    ['team/kv', '/local/secrets/team%2Fkv/folder'],
    ['a', '/local/secrets/team%2Fkv/folder/a'],
    ['b c', '/local/secrets/team%2Fkv/folder/a/b%20c'],
  ]);
  expect(crumbsOf({ ...place, path: '' }).map(({ label }) => label)).toEqual(['Secrets']);
  expect(folderHref({ ...place, path: '' })).toBe('/local/secrets/team%2Fkv/folder');
});

test('invalid and default parameters are left out', () => {
  expect(secretSearch.parse({ tab: 'nothing', version: '0', from: 'x', to: 3.5 })).toEqual({});
  expect(secretSearch.parse({ tab: 'data', version: 4 })).toEqual({ version: 4 });
});
