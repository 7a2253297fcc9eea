import { expect, test } from 'vitest';
import {
  codeFieldsOf,
  createAsCode,
  setMembersAsCode,
  updateAsCode,
  type CodeNames,
} from './record-as-code.ts';

const names: CodeNames = {
  collection: 'credentials',
  command: 'credentials',
  type: 'username-password',
  wireType: 'username_password',
  resource: 'boundary_credential_username_password',
  secrets: { password: 'env://PASSWORD' },
};

test('a secret is named in all forms, never written out', () => {
  const forms = createAsCode(names, {
    place: { credential_store_id: 'csst_1' },
    fields: { name: 'app', description: '' },
    attributes: { username: 'app', password: 'hunter2' },
  });
  for (const form of Object.values(forms)) expect(form).not.toContain('hunter2');
  expect(forms.cli).toContain('-password=env://PASSWORD');
  expect(forms.cli).not.toContain('description');
  expect(forms.http).toContain('"type": "username_password"');
  expect(forms.http).toContain('"password": "<password>"');
  expect(forms.terraform).toMatch(/password\s+= var\.password/);
  const changed = updateAsCode(
    names,
    { id: 'cred_1', revision: '3' },
    { fields: { description: '' }, attributes: { password: 'hunter2' } },
    { place: {}, fields: { name: 'app' }, attributes: { password: 'hunter2' } },
  );
  for (const form of Object.values(changed)) expect(form).not.toContain('hunter2');
  expect(changed.cli).toContain('-version=3');
  expect(changed.http).toContain('"description": null');
});

test('HMACs are no fields, and an empty set is written as nothing', () => {
  expect(codeFieldsOf({ name: 'a', attributes: { password: 'x', password_hmac: 'y' } })).toEqual({
    fields: { name: 'a' },
    attributes: { password: 'x' },
  });
  const { cli, http } = setMembersAsCode(
    { id: 'hsst_1', revision: '2' },
    { collection: 'host-sets', action: 'set-hosts', members: [{ field: 'host_ids', flag: 'host', ids: [] }] },
  );
  expect(cli).toContain('-host=null');
  expect(http).toContain('"host_ids": []');
});
