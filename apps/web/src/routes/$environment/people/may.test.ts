import type { Person } from '@gatehouse/api-types/console/people';
import { expect, test } from 'vitest';
import { reasonAgainst, reasonToRemain } from './may.ts';
import { personForm } from './person-form.ts';

const person = (id: string, access: 'administrator' | 'operator' | null, disabled = false): Person => ({
  id,
  revision: '1',
  login_name: id,
  full_name: '',
  email: '',
  disabled,
  roles: { access, secrets: 'administrator', boxes: null, modules: null },
  created_time: '',
  updated_time: '',
  authorized_actions: [],
});

test('the last enabled administrator must remain one, and the fields that end it say why', () => {
  const ada = person('ada', 'administrator');
  const others = [person('bob', 'operator'), person('eve', 'administrator', true)];
  const reason = reasonToRemain('ada', [ada, ...others]);
  expect(reason).toContain('Make another person an administrator first.');
  const fields = personForm(reason).sections.flatMap((section) => section.fields);
  expect(fields.filter(({ disabledReason }) => disabledReason === reason).map(({ path }) => path)).toEqual([
    'roles.access',
    'disabled',
  ]);
  expect(reasonToRemain('bob', [ada, ...others])).toBeUndefined();
  expect(reasonToRemain('ada', [ada, person('cy', 'administrator')])).toBeUndefined();
  expect(reasonToRemain('ada', [{ ...ada, roles: null }])).toBeUndefined();
});

test('an account that its administrators can only disable says so', () => {
  expect(reasonAgainst({ authorized_actions: ['read', 'update'] }, 'delete')).toContain(
    'Disable it instead.',
  );
  expect(reasonAgainst({ authorized_actions: ['read'] }, 'delete')).toContain('Ask an administrator.');
});
