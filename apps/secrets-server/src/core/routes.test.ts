import { expect, test } from 'vitest';
import { backendOf } from './routes.ts';

const backend = backendOf(
  [
    'config',
    'data/*path',
    'roles/:name',
    'roles/:name/tags/:tag',
    'roles/fixed',
    'mounts',
    'mounts/*path',
    'mounts/*path/tune',
  ].map((path) => ({
    path,
    operations: {},
  })),
);

test.each([
  ['config', 'config', {}],
  ['data/a/b', 'data/*path', { path: 'a/b' }],
  ['data/', 'data/*path', { path: '' }],
  ['data', 'data/*path', { path: '' }],
  ['data/a//b', 'data/*path', { path: 'a//b' }],
  ['roles/a', 'roles/:name', { name: 'a' }],
  ['roles/fixed', 'roles/fixed', {}],
  ['roles/a/tags/b', 'roles/:name/tags/:tag', { name: 'a', tag: 'b' }],
  ['mounts', 'mounts', {}],
  ['mounts/a/b', 'mounts/*path', { path: 'a/b' }],
  ['mounts/a/b/tune', 'mounts/*path/tune', { path: 'a/b' }],
  ['mounts/tune', 'mounts/*path', { path: 'tune' }],
])('%s matches %s', (path, route, params) => {
  const match = backend.match(path);
  expect([match?.route.path, match?.params]).toEqual([route, params]);
});

test.each(['', 'nothing', 'config/', 'config/a', 'roles', 'roles/', 'roles/a/', 'roles/a/b', 'databases/a'])(
  '%s matches no route',
  (path) => {
    expect(backend.match(path)).toBeUndefined();
  },
);
