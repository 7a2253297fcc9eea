import { box, found } from '@gatehouse/api-types/services/box-registry';
import { moduleDetail } from '@gatehouse/api-types/services/module-registry';
import { cloudRole, keyMetadata, pluginMounts } from '@gatehouse/api-types/services/secrets-server';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { parseInSlices } from './parse-in-slices.ts';

const parse = async (schema: z.ZodMiniType, value: unknown) => {
  const giveWay = vi.fn(() => Promise.resolve());
  const [result] = await Promise.allSettled([parseInSlices(schema, value, { giveWay })]);
  return { result, asked: giveWay.mock.calls.length };
};

const provider = { name: 'virtualbox', url: '/x', size: 7 };
const version = { version: '1.0.0', status: 'active', providers: [provider, provider], number: '1' };
const listed = { username: 'acme', name: 'box', private: null, current_version: version };
const metadata = (versions: object) => ({
  data: { created_time: '', updated_time: '', current_version: 1, oldest_version: 1, versions },
});
const role = {
  data: { credential_type: 'iam_user', role_arns: 'a,b', policy_arns: ['c', 'd'], iam_tags: ['e=f'] },
};
const mounts = (count: number) => ({
  data: Object.fromEntries(Array.from({ length: count }, (_, at) => [`engine-${at}/`, { type: 'kv' }])),
});
const odd = z.object({
  checked: z.array(z.string()).check(z.maxLength(1)),
  either: z.optional(z.nullable(z.array(z.object({ list: z.optional(z.array(z.int())) })))),
});

test.each<[string, z.ZodMiniType, unknown]>([
  ['a box', box, { ...listed, versions: [version, { ...version, providers: null }] }],
  ['a box without versions', box, listed],
  ['boxes', found, { boxes: [listed, { ...listed, current_version: null }], more: 1 }],
  [
    'a module',
    moduleDetail,
    {
      id: '',
      namespace: '',
      name: '',
      version: '',
      provider: '',
      root: { inputs: [{ name: 'x', validations: [{}] }] },
    },
  ],
  [
    'a record',
    keyMetadata,
    metadata({ 1: { created_time: 'x' }, 2: { created_time: 'y', destroyed: true } }),
  ],
  [
    'a record with a name that is none',
    keyMetadata,
    metadata(JSON.parse('{"__proto__":{"created_time":"x"}}')),
  ],
  [
    'lists that may be texts or records',
    cloudRole,
    { data: { ...role.data, session_tags: { g: 'h' }, more: [{}] } },
  ],
  ['missing ones', cloudRole, { data: { policy_document: '', iam_groups: null } }],
  ['mounts', pluginMounts, mounts(2)],
  ['optional lists', odd, { checked: ['a'], either: [{}, { list: undefined }, { list: [1] }] }],
  ['missing lists', odd, { checked: [], either: null }],
])('reads %s as zod does', async (_what, schema, value) => {
  expect((await parse(schema, value)).result).toStrictEqual({
    status: 'fulfilled',
    value: z.parse(schema, value),
  });
});

test.each<[string, z.ZodMiniType, unknown]>([
  ['a value instead of an object', found, 7],
  ['an object instead of a list', found, { boxes: {} }],
  ['a list that its schema limits', odd, { checked: ['a', 'b'] }],
  ['a missing member', found, {}],
  ['a wrong member of a record', keyMetadata, metadata({ 1: {} })],
  ['a number instead of a list or text', cloudRole, { data: { role_arns: 7 } }],
  ['an element that is no text', cloudRole, { data: { role_arns: ['a', 7] } }],
  ['a wrong element', odd, { checked: [], either: [{ list: ['x'] }] }],
])('refuses %s as zod does', async (_what, schema, value) => {
  expect(z.safeParse(schema, value).success).toBe(false);
  expect((await parse(schema, value)).result).toMatchObject({
    status: 'rejected',
    reason: expect.any(z.core.$ZodError),
  });
});

test('gives way before each element of a list or record, also of a list within another', async () => {
  const versions = Array.from({ length: 1_000 }, () => version);
  expect((await parse(box, { ...listed, versions })).asked).toBeGreaterThanOrEqual(3_000);
  const record = Object.fromEntries(versions.map((_, at) => [at, { created_time: '' }]));
  expect((await parse(keyMetadata, metadata(record))).asked).toBeGreaterThanOrEqual(1_000);
  expect((await parse(pluginMounts, mounts(1_000))).asked).toBeGreaterThanOrEqual(1_000);
  const role_arns = versions.map(() => 'arn');
  expect((await parse(cloudRole, { data: { ...role.data, role_arns } })).asked).toBeGreaterThanOrEqual(1_000);
  expect((await parse(cloudRole, { data: { ...role.data, ...record } })).asked).toBeGreaterThanOrEqual(1_000);
});

test('ends with the first element that does not match', async () => {
  expect((await parse(found, { boxes: Array.from({ length: 20_000 }, () => 0) })).asked).toBe(1);
});

test('refuses a list with too many elements before it reads one', async () => {
  const { result, asked } = await parse(found, { boxes: Array.from({ length: 20_001 }, () => listed) });
  expect(result).toMatchObject({
    reason: { issues: [{ code: 'too_big', origin: 'array', maximum: 20_000 }] },
  });
  expect(asked).toBe(0);
  expect((await parse(pluginMounts, mounts(10_001))).asked).toBe(0);
});
