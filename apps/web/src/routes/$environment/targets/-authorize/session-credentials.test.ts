import type { SessionCredential } from '@gatehouse/api-types/console/access-sessions';
import { expect, test } from 'vitest';
import { credentialFields } from './session-credentials.ts';

const source = {
  id: 'credup_1',
  name: 'app',
  description: '',
  credential_store_id: 'csst_1',
  type: 'static',
  credential_type: 'username_password',
};

function credential(fields: Partial<SessionCredential>): SessionCredential {
  return { credential_source: source, secret: null, credential: {}, ...fields };
}

test('shows names and masks everything else', () => {
  const fields = credentialFields(credential({ credential: { username: 'app', password: 's3cret' } }));
  expect(fields).toEqual([
    { label: 'Username', text: 'app', isSecret: false },
    { label: 'Password', text: 's3cret', isSecret: true },
  ]);
});

test('fields of JSON keep their names', () => {
  const json = { ...source, credential_type: 'json' };
  const fields = credentialFields(credential({ credential_source: json, credential: { 'db.api_key': 'k' } }));
  expect(fields).toEqual([{ label: 'db.api_key', text: 'k', isSecret: true }]);
});

test('without a type, shows the decoded value, else the raw one', () => {
  const decoded = { raw: 'eyJhIjp7ImIiOjF9fQ==', decoded: { a: '{"b":1}', token: 'x' } };
  expect(credentialFields(credential({ secret: decoded }))).toEqual([
    { label: 'a', text: '{"b":1}', isSecret: true },
    { label: 'token', text: 'x', isSecret: true },
  ]);
  expect(credentialFields(credential({ secret: { raw: 'AAA=', decoded: null } }))).toEqual([
    { label: 'Value (base64)', text: 'AAA=', isSecret: true },
  ]);
});
