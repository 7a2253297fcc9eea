import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import * as secrets from '@gatehouse/api-types/console/addresses/secrets';
import { expect, test } from 'vitest';
import { firstRequests } from '../first-requests.ts';
import { apiUrl } from './api-url.ts';

const script = readFileSync(new URL('../../public/begin.js', import.meta.url), 'utf8');

/** The addresses that begin.js requests in a document at an address. */
function begunAt(route: string, pathname: string, search = ''): readonly string[] {
  const { always = [], rows = [] } = firstRequests[route] ?? {};
  const asked: string[] = [];
  runInNewContext(script, {
    document: {
      currentScript: { dataset: { route, always: always.join(' '), rows: rows.join(' ') } },
      documentElement: { dataset: {} },
    },
    location: { pathname, search },
    localStorage: { getItem: () => null },
    performance,
    URLSearchParams,
    fetch: (url: string) => {
      asked.push(url);
      return Promise.resolve();
    },
  });
  return asked;
}

const folder = '/$environment/secrets/$mount/folder/$';

test.each([
  ['/local/secrets/secret/folder/commerce/checkout', 'commerce/checkout'],
  ['/local/secrets/secret/folder/two%20words', 'two words'],
  ["/local/secrets/secret/folder/it's(!)~*", "it's(!)~*"],
])('the folder at %s is requested with the same address as by the page', (pathname, path) => {
  const params = { environment: 'local', mount: 'secret' };
  expect(begunAt(folder, pathname)).toContain(apiUrl(secrets.secrets.getCapabilities, params, { path }));
});

test('rows are not requested early if there are search parameters', () => {
  const rows = (search: string): readonly string[] =>
    begunAt('/$environment/boxes', '/local/boxes', search).filter((url) => url.includes('/search'));
  expect(rows('')).toHaveLength(1);
  expect(rows('?q=a')).toEqual([]);
});

test('a folder without a path is not requested early', () => {
  expect(begunAt(folder, '/local/secrets/secret/folder/')).toEqual([
    '/api/environments/local/secrets/mounts/secret/folder?page_size=500',
  ]);
});
