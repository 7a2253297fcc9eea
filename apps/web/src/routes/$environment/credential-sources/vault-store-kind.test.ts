import { fieldsOfVaultStore, type CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { map, opaque, record, scalar } from '@gatehouse/record-merge/policy';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { changesBetween } from '#components/form/field-changes.ts';
import { fieldAt, fieldFor, filledIn, schemaOver } from '#components/form/record-form.ts';
import { showValue } from '#components/form/show-value.ts';
import { tokenKind, vaultStoreKind } from './vault-store-kind.ts';

const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';
const store: CredentialStore = {
  id: 'csvlt_1234567890',
  revision: '1',
  scope: { id: 'p_1234567890', type: 'project', name: 'p', description: '', parent_scope_id: '' },
  scope_id: 'p_1234567890',
  type: 'vault',
  name: 'store',
  description: '',
  created_time: '',
  updated_time: '',
  authorized_actions: ['update'],
  authorized_collection_actions: {},
  attributes: {
    address: 'https://vault.example:8200',
    namespace: '',
    ca_cert: '',
    tls_server_name: '',
    tls_skip_verify: false,
    client_certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    client_certificate_key_hmac: 'hmac-of-the-key',
    token_hmac: 'hmac-of-the-token',
    token_status: 'current',
    token_expiration_time: '',
  },
};
const stored = fieldsOfVaultStore(store);
const edited = (attributes: Partial<typeof stored.attributes>) => ({
  ...stored,
  attributes: { ...stored.attributes, ...attributes },
});

test('a changed address requires the token and key again, at their fields, before anything is sent', () => {
  const spec = vaultStoreKind.formOf(store, stored);
  const refusedIn = (values: typeof stored): readonly string[] =>
    (schemaOver(spec, stored).safeParse(values).error?.issues ?? []).map(({ path }) => path.join('.'));
  expect(refusedIn(stored)).toEqual([]);
  const moved = { address: 'https://other.example' };
  expect(refusedIn(edited(moved))).toEqual(['attributes.token', 'attributes.client_certificate_key']);
  expect(refusedIn(edited({ ...moved, token: ' ', client_certificate_key: key }))).toEqual([
    'attributes.token',
  ]);
  expect(refusedIn(edited({ ...moved, token: 'hvs.x', client_certificate_key: key }))).toEqual([]);
  // If the stored record already has the address, nothing else is required.
  expect(schemaOver(spec, edited(moved)).safeParse(edited(moved)).success).toBe(true);
});

test('the matching command includes them too', () => {
  const moved = edited({ address: 'https://other.example' });
  const { token, client_certificate_key } = filledIn(
    vaultStoreKind.formOf(store, stored),
    moved,
    stored,
  ).attributes;
  expect([token, client_certificate_key]).not.toContain('');
  expect(filledIn(vaultStoreKind.formOf(store, stored), stored, stored)).toBe(stored);
});

test('the field is required as soon as the address differs', () => {
  const token = fieldAt(vaultStoreKind.formOf(store, stored), ['attributes', 'token']);
  expect(token).toBeDefined();
  if (token === undefined) return;
  expect(fieldFor(token, stored, stored).isRequired).toBeUndefined();
  expect(fieldFor(token, edited({ namespace: 'team' }), stored)).toMatchObject({
    isRequired: true,
    description: expect.stringContaining("isn't reused when the connection changes") as string,
  });
  const filled = fieldFor(token, edited({ namespace: 'team', token: 'hvs.x' }), stored);
  expect(filled).toMatchObject({ isRequired: true, description: token.description });
});

test('rotating the token shows where it is sent, and offers all connection fields in a conflict', () => {
  const spec = tokenKind.formOf(store, stored);
  const { description } = spec.sections[0] ?? {};
  const moved = edited({ address: 'https://other.example' });
  expect(typeof description === 'function' && description(moved)).toContain('to https://other.example,');
  expect(fieldAt(spec, ['attributes', 'address'])?.label).toBe('Address');
  expect(schemaOver(spec, stored).safeParse(moved).success).toBe(false);
});

test("an HMAC isn't a change of its own", () => {
  const spec = vaultStoreKind.formOf(store, stored);
  const labels = changesBetween(spec, stored, edited({ token: 'hvs.x', token_hmac: 'other' })).map(
    ({ label }) => label,
  );
  expect(labels).toEqual(['New token']);
  // A user's field with such a name is theirs.
  const named = {
    sections: [],
    policy: record({ data: map(opaque), token_hmac: scalar }),
    noun: 'x',
    schema: z.any(),
  };
  const before = { data: { request: '1', request_hmac: '1' }, token_hmac: '1' };
  const after = { data: { request: '1', request_hmac: '2' }, token_hmac: '2' };
  expect(changesBetween(named, before, after).map(({ path }) => path.join('.'))).toEqual([
    'data.request_hmac',
    'token_hmac',
  ]);
});

test('a first client certificate requires its key', () => {
  const without = edited({ client_certificate: '', client_certificate_key_hmac: '' });
  const spec = vaultStoreKind.formOf(store, stored);
  const values = {
    ...stored,
    attributes: { ...stored.attributes, client_certificate_key_hmac: '', token: 'x' },
  };
  expect(schemaOver(spec, without).safeParse(values).error?.issues[0]?.path.join('.')).toBe(
    'attributes.client_certificate_key',
  );
});

test('an entered key is never shown, even in a conflict about a group', () => {
  const spec = vaultStoreKind.formOf(store, stored);
  for (const name of ['token', 'client_certificate_key', 'token_hmac']) {
    expect(showValue(spec, ['attributes', name], key)).toBe('••••••••');
  }
  expect(showValue(spec, ['attributes', 'address'], 'https://x')).toBe('https://x');
});
