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
  secrets: new Set(['password']),
};

test('a secret is a variable or placeholder in all forms, never its value', () => {
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

test('HMACs are omitted, and an empty set is written as none', () => {
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

test('switches, maps and renamed flags are written as each client expects them', () => {
  const library: CodeNames = {
    collection: 'credential-libraries',
    command: 'credential-libraries',
    type: 'vault-generic',
    resource: 'boundary_credential_library_vault',
    flags: { path: 'vault-path', overrides: 'override' },
    maps: ['overrides'],
  };
  const values = {
    name: 'a',
    attributes: { path: 'secret/data/x', tls_skip_verify: true, other: false },
    overrides: { username_attribute: 'login', password_attribute: '' },
    roles: { access: 'operator' },
  };
  const read = codeFieldsOf(values, library.maps);
  expect(read.fields).toEqual({ name: 'a', overrides: values.overrides });
  const forms = createAsCode(library, { place: {}, ...read });
  expect(forms.cli).toContain('-vault-path=secret/data/x');
  expect(forms.cli).toContain('-tls-skip-verify=true');
  expect(forms.cli).toContain('-override=username_attribute=login');
  expect(forms.cli).not.toContain('password_attribute');
  expect(forms.http).toContain('"tls_skip_verify": true');
  expect(forms.http).not.toContain('"other"');
  expect(forms.terraform).toMatch(/overrides\s+= \{ username_attribute = "login" \}/);
  const changed = updateAsCode(
    library,
    { id: 'clvlt_1', revision: '2' },
    { fields: { overrides: { password_attribute: '' } } },
    { place: {}, ...read },
  );
  expect(changed.cli).toContain('-override=password_attribute=null');
  expect(changed.http).toContain('"password_attribute": null');
});
