import { expect, test } from 'vitest';
import { FieldFaults } from '../refusal.ts';
import { blankFields, changedFields } from './change.ts';
import { noCredentialSources } from './target.ts';
import type { Target } from './target.ts';

const target: Target = {
  ...blankFields('ssh'),
  id: 'tssh_1234567890',
  projectId: 'p_1234567890',
  type: 'ssh',
  name: 'web',
  createdTime: 0,
  updatedTime: 0,
  version: 1,
  hostSources: [{ id: 'hsst_1234567890', hostCatalogId: 'hcst_1234567890' }],
  credentialSources: noCredentialSources,
};

test('refuses an address for a target with host sources', () => {
  expect(() => changedFields(target, { address: '10.0.0.1' }, new FieldFaults())).toThrow(
    expect.objectContaining({ kind: 'failed precondition' }),
  );
  expect(changedFields(target, { address: null, name: 'db' }, new FieldFaults())).toMatchObject({
    address: '',
    name: 'db',
  });
  expect(
    changedFields({ ...target, hostSources: [] }, { address: '10.0.0.1' }, new FieldFaults()).address,
  ).toBe('10.0.0.1');
});
