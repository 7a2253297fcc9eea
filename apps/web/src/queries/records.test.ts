// @vitest-environment jsdom
import * as at from '@gatehouse/api-types/console/addresses/access';
import { beforeEach, expect, test, vi } from 'vitest';
import { globalScope } from './global-scope.ts';
import { allRecords, recordCalls } from './records.ts';

const requests: { url: string; init: RequestInit }[] = [];
let answers: object[] = [];

beforeEach(() => {
  requests.length = 0;
  answers = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return new Response(JSON.stringify(answers.shift() ?? {}));
  });
});

const { signal } = new AbortController();
const urls = (): string[] => requests.map(({ url }) => decodeURIComponent(url));

test('a list requests all pages of its container', async () => {
  answers = [{ items: [{ id: 'a' }], next_page_token: 't' }, { items: [{ id: 'b' }] }];
  const hosts = recordCalls(at.hosts);
  expect(hosts.key).toBe('hosts');
  expect(await allRecords(hosts, 'test', 'hcst_1', { signal })).toEqual([{ id: 'a' }, { id: 'b' }]);
  expect(urls()).toEqual([
    '/api/environments/test/access/hosts?host_catalog_id=hcst_1&page_size=1000',
    '/api/environments/test/access/hosts?host_catalog_id=hcst_1&page_size=1000&page_token=t',
  ]);
});

test('the global scope is listed recursively; a kind without a container is listed without parameters', async () => {
  await recordCalls(at.hostCatalogs).list('test', globalScope, undefined, {});
  await recordCalls(at.hostCatalogs).list('test', 'p_1', undefined, {});
  await recordCalls(at.people).list('test', '', undefined, {});
  expect(urls()).toEqual([
    '/api/environments/test/access/host-catalogs?scope_id=global&recursive=true&page_size=1000',
    '/api/environments/test/access/host-catalogs?scope_id=p_1&page_size=1000',
    '/api/environments/test/access/people?page_size=1000',
  ]);
});

test('a record is read, created, updated and deleted at its address', async () => {
  const sets = recordCalls(at.hostSets, ['hosts']);
  expect(sets.touches).toEqual(['hosts']);
  await sets.get('test', 'hsst_1', {});
  await sets.create('test', { host_catalog_id: 'hcst_1', name: 'web' });
  await sets.update('test', 'hsst_1', { revision: '3' }, { name: 'www' });
  expect(sets.remove.harm).toBe('loses');
  await sets.remove.run('test', 'hsst_1', '4');
  const one = '/api/environments/test/access/host-sets/hsst_1';
  expect(requests).toMatchObject([
    { url: one, init: { method: 'GET' } },
    {
      url: '/api/environments/test/access/host-sets',
      init: { method: 'POST', body: '{"host_catalog_id":"hcst_1","name":"web"}' },
    },
    { url: one, init: { method: 'PATCH', body: '{"name":"www"}', headers: { 'if-match': '"3"' } } },
    { url: one, init: { method: 'DELETE', body: null, headers: { 'if-match': '"4"' } } },
  ]);
});
