import { expect, test } from 'vitest';
import { newPersonForm } from './person-form.ts';

test('the roles for secrets say that they include the values', () => {
  const fields = newPersonForm().sections.flatMap((section) => section.fields);
  const descriptionOf = (path: string, role: string) => {
    const input = fields.find((field) => field.path === path)?.input;
    return input?.kind === 'choice' ? input.options.find(({ value }) => value === role)?.description : '';
  };
  expect(descriptionOf('roles.secrets', 'read-only')).toBe('Reads all secrets, including their values');
  expect(descriptionOf('roles.secrets', 'operator')).toContain('including their values');
  expect(descriptionOf('roles.boxes', 'read-only')).toBe('Reads only');
});
