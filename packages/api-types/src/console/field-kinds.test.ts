import { map, opaque, record, scalar, set, statements, text } from '@gatehouse/record-merge/policy';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { asSecret, asStatements, asText, asTrace, pathsOf, policyOf, secretsOf } from './field-kinds.ts';

const fields = z
  .strictObject({
    name: z.string(),
    notes: z.optional(asText(z.string())),
    rights: asStatements(z.string()),
    labels: z.record(z.string(), z.string()),
    role: z.nullable(z.strictObject({ id: z.string() })),
    attributes: z.strictObject({
      token: z.optional(asSecret(z.string())),
      token_hmac: asTrace(z.string()),
    }),
  })
  .check(z.refine(() => true));

test("derives a record's merge policy from its fields", () => {
  expect(policyOf(fields)).toEqual(
    record({
      name: scalar,
      notes: text,
      rights: statements,
      labels: map(scalar),
      role: scalar,
      attributes: record({ token: opaque, token_hmac: opaque }),
    }),
  );
});

test('adds policies of other fields, and groups fields', () => {
  const groups = [{ name: 'both', fields: ['name', 'hosts'] }];
  expect(policyOf(z.strictObject({ name: z.string() }), { more: { hosts: set }, groups })).toEqual(
    record({ name: scalar, hosts: set }, { groups }),
  );
});

test('finds secrets in members, items, entries and alternatives, and nothing else', () => {
  const body = z.strictObject({
    fields,
    items: z.array(z.strictObject({ value: z.nullable(asSecret(z.string())), plain: z.string() })),
    entries: z.record(z.string(), z.strictObject({ code: asSecret(z.string()) })),
    either: z.union([z.strictObject({ key: asSecret(z.string()) }), z.strictObject({ id: z.string() })]),
    whole: asSecret(z.array(z.string())),
  });
  expect(secretsOf(body)).toEqual(new Set(['token', 'value', 'code', 'key', 'whole']));
});

test('lists the paths of object members, required or not, but not the keys of entries', () => {
  const alternatives = z.union([
    z.strictObject({ host: z.string() }),
    z.strictObject({ ids: z.array(z.string()) }),
  ]);
  expect(pathsOf(z.optional(z.strictObject({ fields, other: alternatives })))).toEqual([
    'fields',
    ...['name', 'notes', 'rights', 'labels', 'role', 'role.id'].map((name) => `fields.${name}`),
    ...['', '.token', '.token_hmac'].map((name) => `fields.attributes${name}`),
    ...['', '.host', '.ids'].map((name) => `other${name}`),
  ]);
});
