import { policyOf } from '@gatehouse/api-types/console/field-kinds';
import { hostCatalogFields, newHostCatalog } from '@gatehouse/api-types/console/host-sources';
import { record, scalar, text } from '@gatehouse/record-merge/policy';
import { expect, test } from 'vitest';
import { descriptionField, nameField, newForm, projectField } from './label-fields.ts';

test("a new record's form is that of a stored one, with the project after the name", () => {
  const stored = {
    noun: 'host catalog',
    schema: hostCatalogFields,
    policy: policyOf(hostCatalogFields),
    sections: [
      { title: 'Identity', fields: [nameField('project'), descriptionField] },
      { title: 'More', fields: [descriptionField] },
    ],
  };
  const project = projectField([{ value: 'p_1', label: 'one' }], "It can't be moved later.");
  const { noun, policy, sections } = newForm(stored, newHostCatalog, project);
  expect(noun).toBe('host catalog');
  expect(sections.map(({ title, fields }) => [title, ...fields.map(({ path }) => path)])).toEqual([
    ['Identity', 'name', 'scope_id', 'description'],
    ['More', 'description'],
  ]);
  expect(policy).toEqual(record({ scope_id: scalar, name: scalar, description: text }));
  expect(project.show('p_1')).toBe('one');
});
