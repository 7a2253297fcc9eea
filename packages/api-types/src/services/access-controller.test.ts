import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { errorBody, listOf, target } from './access-controller.ts';

test('reads omitted and null values as zero values', () => {
  const least = z.parse(target, { id: 'ttcp_1234567890' });
  expect(least).toMatchObject({
    id: 'ttcp_1234567890',
    name: '',
    version: 0,
    host_source_ids: [],
    authorized_actions: [],
    address: '',
  });
  expect(
    z.parse(target, {
      id: 'ttcp_1234567890',
      name: null,
      version: null,
      host_sources: null,
      attributes: null,
    }),
  ).toMatchObject({ name: '', version: 0, host_sources: [] });
});

test('drops unknown fields and refuses invalid ones', () => {
  expect(z.parse(target, { id: 'x', surprise: 1 })).not.toHaveProperty('surprise');
  for (const wrong of [
    {},
    { id: 1 },
    { id: 'x', name: 1 },
    { id: 'x', version: 1.5 },
    { id: 'x', host_source_ids: 'hsst_1' },
    [],
  ]) {
    expect(z.safeParse(target, wrong).success).toBe(false);
  }
});

test('refuses IDs that no path can contain', () => {
  const [id, long] = ['x'.repeat(1_024), 'x'.repeat(1_025)];
  expect(z.safeParse(target, { id, scope_id: id, host_source_ids: [id] }).success).toBe(true);
  for (const wrong of [{ id: long }, { id, scope_id: long }, { id, host_source_ids: [long] }])
    expect(z.safeParse(target, wrong).success).toBe(false);
});

test('accepts a list without items', () => {
  expect(z.parse(listOf(target), { response_type: 'complete' })).toMatchObject({
    items: [],
    est_item_count: 0,
    list_token: '',
  });
});

test('accepts an error with any of its fields missing', () => {
  expect(z.parse(errorBody, {})).toMatchObject({ kind: '', message: '' });
  expect(
    z.parse(errorBody, { details: { request_fields: [{ name: 'name', description: 'x' }] } }).details
      ?.request_fields,
  ).toHaveLength(1);
});
