import { expect, test } from 'vitest';
import { placeTyped } from './typed-place.ts';

const mounts = ['secret', 'team', 'team/kv'];

test.each([
  ['secret/app/db', { mount: 'secret', path: 'app/db', isFolder: false }],
  ['/team/kv/a ', { mount: 'team/kv', path: 'a ', isFolder: false }],
  ['team/kv', { mount: 'team/kv', path: '', isFolder: true }],
  ['team/kvx/a/', { mount: 'team', path: 'kvx/a', isFolder: true }],
  ['hidden/app', { mount: 'hidden', path: 'app', isFolder: false }],
  ['', { mount: '', path: '', isFolder: true }],
])('splits %j into an engine and a path', (text, place) => {
  expect(placeTyped(text, undefined, mounts)).toEqual(place);
});

test.each([
  ['db', { path: 'app/db', isFolder: false }],
  ['web/db/', { path: 'app/web/db', isFolder: true }],
  ['', { path: 'app', isFolder: true }],
])('reads %j below the folder', (text, place) => {
  expect(placeTyped(text, { mount: 'secret', path: 'app' }, mounts)).toEqual({ mount: 'secret', ...place });
});
