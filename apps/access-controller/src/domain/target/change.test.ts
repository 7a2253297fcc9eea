import { expect, test } from 'vitest';
import { FieldFaults } from '../refusal.ts';
import { blankFields, changedFields } from './change.ts';
import { changedCredentialSources } from './sources.ts';
import { noCredentialSources } from './target.ts';
import type { CredentialSource, Target } from './target.ts';

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

test('a target with host sources takes no address', () => {
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

test('injected credentials that a tcp target has of an earlier release stay, and no other is added', () => {
  const source = (id: string): CredentialSource => ({
    id,
    name: '',
    description: '',
    storeId: 'csst_1234567890',
    type: 'static',
    credentialType: 'username_password',
  });
  const before: Target = {
    ...target,
    type: 'tcp',
    credentialSources: { ...noCredentialSources, injected_application: [source('credup_1')] },
  };
  const find = { hostSource: () => undefined, credentialSource: source };
  const set = (brokered: string[], injected_application: string[]) =>
    changedCredentialSources(before, 'set', { application: [], brokered, injected_application }, find);
  expect(set(['credup_2'], ['credup_1']).credentialSources).toMatchObject({
    brokered: [{ id: 'credup_2' }],
    injected_application: [{ id: 'credup_1' }],
  });
  expect(set([], []).credentialSources.injected_application).toEqual([]);
  expect(() => set([], ['credup_1', 'credup_2'])).toThrow(
    expect.objectContaining({ kind: 'invalid argument' }),
  );
});
