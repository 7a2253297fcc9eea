import { merge } from '@gatehouse/record-merge';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { secretEngineFields, secretMetadataChanges, secretMetadataFields } from './secret-metadata.ts';
import { folderPath, mountPath, newMountPath, secretPath } from './secret-names.ts';
import { transferBody } from './secret-transfers.ts';
import { secretPolicy } from './secrets.ts';

z.config(z.locales.en());

test.each([
  ['app/db', true],
  ['100% "sure" ü/it\'s', true],
  ['a b', true],
  ['%2F..%2f', true],
  ['', false],
  ['/a', false],
  ['a/', false],
  ['a//b', false],
  ['..', false],
  ['a/../b', false],
  ['a\\b', true],
  [' a ', true],
  ['a\u0000', false],
  ['a\ud800', false],
  ['x'.repeat(1025), false],
])('accepts the path %j: %j', (path, accepted) => {
  expect(z.safeParse(secretPath, path).success).toBe(accepted);
  expect(z.safeParse(mountPath, path).success).toBe(accepted);
  expect(z.safeParse(folderPath, path).success).toBe(accepted || path === '');
});

test('two edits of a secret merge by key, and conflict by key', () => {
  const { merged, conflicts } = merge(
    secretPolicy,
    { data: { a: '1', b: '1', c: '1' } },
    { data: { a: '2', b: '1', c: '2' } },
    { data: { a: '1', c: '3', d: '1' } },
  );
  expect(conflicts.map(({ path }) => path)).toEqual([['data', 'c']]);
  expect(secretPolicy.fields['data']).toMatchObject({ kind: 'map', values: { kind: 'opaque' } });
  expect(merged.data).toMatchObject({ a: '2', d: '1' });
  expect(merged.data).not.toHaveProperty('b');
});

test.each([
  ['0s', true],
  ['3h25m19s', true],
  ['720h', true],
  ['1.5h', true],
  ['90', true],
  ['1d', true],
  ['', false],
  ['soon', false],
  ['-1s', false],
  ['1 h', false],
])('accepts the duration %j: %j', (text, accepted) => {
  const fields = { description: '', max_versions: 0, cas_required: false, delete_version_after: text };
  expect(z.safeParse(secretEngineFields, fields).success).toBe(accepted);
});

test('limits custom metadata as servers do', () => {
  const accepts = (custom_metadata: object) =>
    z.safeParse(secretMetadataFields, {
      max_versions: 0,
      cas_required: false,
      delete_version_after: '0s',
      custom_metadata,
    }).success;
  expect(accepts({ 'owner ü': 'team' })).toBe(true);
  expect(accepts({ a: '' })).toBe(false);
  expect(accepts({ '': 'a' })).toBe(false);
  expect(accepts({ a: 'line\nbreak' })).toBe(false);
  expect(accepts({ ['k'.repeat(128)]: 'v'.repeat(512) })).toBe(true);
  expect(accepts({ ['k'.repeat(129)]: 'v' })).toBe(false);
  expect(accepts({ k: 'ü'.repeat(257) })).toBe(false);
  expect(accepts(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, 'v'])))).toBe(false);
  expect(z.safeParse(secretMetadataChanges, { custom_metadata: { a: null } }).success).toBe(true);
  expect(z.safeParse(secretMetadataChanges, { custom_metadata: null }).success).toBe(true);
});

test('refuses to move a folder into itself, or anything onto itself', () => {
  const accepts = (kind: string, to: string, mount = 'secret') =>
    z.safeParse(transferBody, {
      kind,
      from: { mount: 'secret', path: 'a/b' },
      to: { mount, path: to },
      mode: 'move',
      versions: 'all',
    }).success;
  expect(accepts('folder', 'a/b/c')).toBe(false);
  expect(accepts('folder', 'a/bc')).toBe(true);
  expect(accepts('folder', 'a/b/c', 'other')).toBe(true);
  expect(accepts('secret', 'a/b/c')).toBe(true);
  expect(accepts('secret', 'a/b')).toBe(false);
  expect(accepts('secret', 'a/b', 'other')).toBe(true);
});

test('a new engine gets no path with a space, but an existing one is read', () => {
  for (const path of ['pay ments', 'a\u00a0b']) {
    expect(z.safeParse(newMountPath, path).success).toBe(false);
    expect(z.safeParse(mountPath, path).success).toBe(true);
  }
  expect(z.parse(newMountPath, 'team/payments')).toBe('team/payments');
  expect(z.safeParse(newMountPath, '').error?.issues).toHaveLength(1);
});
