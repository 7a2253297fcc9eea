/** The form of a person: names, whether they can sign in, and a role in each service. */
import {
  newEmail,
  newPerson,
  personFields,
  personPolicy,
  roles,
  type PersonFields,
  type Role,
  type ServiceRoles,
} from '@gatehouse/api-types/console/people';
import { record, scalar } from '@gatehouse/record-merge/policy';
import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FieldSpec, FormSection, RecordFormSpec } from '#components/form/record-form.ts';
import { roleWord, serviceOrder } from '#components/people/person-words.ts';
import { serviceLabels } from '#lib/error-words.ts';

/** No access is a choice like the roles. */
const noAccess = 'none';
const roleChoice = z.enum([...roles, noAccess]);
type RoleChoice = z.output<typeof roleChoice>;
type RoleChoices = Record<keyof ServiceRoles, RoleChoice>;

/** A person in the form. */
export interface PersonForm extends Omit<PersonFields, 'roles'> {
  roles: RoleChoices;
}

/** A new person; the login name can't be changed later. */
export interface NewPersonForm extends PersonForm {
  login_name: string;
}

const roleChoices = z.strictObject({
  access: roleChoice,
  secrets: roleChoice,
  boxes: roleChoice,
  modules: roleChoice,
});

const choiceOf = (role: Role | null): RoleChoice => role ?? noAccess;
const roleOf = (choice: RoleChoice): Role | null => (choice === noAccess ? null : choice);

/** The form's values for stored fields. */
export function formOfPerson({ roles: held, ...fields }: PersonFields): PersonForm {
  return {
    ...fields,
    roles: {
      access: choiceOf(held.access),
      secrets: choiceOf(held.secrets),
      boxes: choiceOf(held.boxes),
      modules: choiceOf(held.modules),
    },
  };
}

/** The stored fields for the form's values. */
export function fieldsOfForm({ full_name, email, disabled, roles: chosen }: PersonForm): PersonFields {
  return {
    full_name,
    email,
    disabled,
    roles: {
      access: roleOf(chosen.access),
      secrets: roleOf(chosen.secrets),
      boxes: roleOf(chosen.boxes),
      modules: roleOf(chosen.modules),
    },
  };
}

const showRole = (value: unknown): string => {
  const choice = roleChoice.safeParse(value);
  return choice.success ? roleWord(roleOf(choice.data)) : '';
};

const roleOptions = [
  { value: 'administrator', label: 'Administrator', description: 'Everything, including people' },
  { value: 'operator', label: 'Operator', description: 'Edits records, not people' },
  { value: 'read-only', label: 'Reader', description: 'Reads only' },
  { value: noAccess, label: 'No access', description: "Can't connect" },
];

/** What the built-in policies of these roles allow. */
const secretsDescriptions: Partial<Record<string, string>> = {
  operator: 'Reads and edits all secrets, including their values, and issues cloud credentials',
  'read-only': 'Reads all secrets, including their values',
};

const secretsRoleOptions = roleOptions.map((option) => ({
  ...option,
  description: secretsDescriptions[option.value] ?? option.description,
}));

/** Every path is a field of PersonForm, which Values extends. */
function field<Values extends PersonForm>(
  path: FieldPath<PersonForm>,
  rest: Omit<FieldSpec<Values>, 'path'>,
): FieldSpec<Values> {
  return { path: path as FieldPath<Values>, ...rest };
}

function names<Values extends PersonForm>(): readonly FieldSpec<Values>[] {
  return [
    field('full_name', {
      label: 'Full name',
      input: { kind: 'text' },
      description: 'Shown to other users.',
    }),
    field('email', { label: 'E-mail', input: { kind: 'text' } }),
  ];
}

function rolesSection<Values extends PersonForm>(reasonToRemain?: string): FormSection<Values> {
  return {
    title: 'Roles',
    description: 'Their permissions in each service.',
    fields: serviceOrder.map((service) =>
      field(`roles.${service}`, {
        label: serviceLabels[service],
        input: { kind: 'choice', options: service === 'secrets' ? secretsRoleOptions : roleOptions },
        show: showRole,
        ...(service === 'access' && reasonToRemain !== undefined && { disabledReason: reasonToRemain }),
      }),
    ),
  };
}

/** The form of an existing person. @param reasonToRemain why they must remain an enabled administrator */
export function personForm(reasonToRemain?: string): RecordFormSpec<PersonForm> {
  return {
    noun: 'person',
    schema: z.strictObject({ ...personFields.shape, roles: roleChoices }),
    policy: personPolicy,
    sections: [
      { title: 'Identity', fields: names<PersonForm>() },
      rolesSection<PersonForm>(reasonToRemain),
      {
        title: 'Sign-in',
        fields: [
          {
            path: 'disabled',
            label: 'Disabled',
            input: { kind: 'check' },
            ...(reasonToRemain !== undefined && { disabledReason: reasonToRemain }),
            description:
              "They are signed out and can't sign in. Their tokens become invalid, and their open sessions on targets are canceled.",
          },
        ],
      },
    ],
  };
}

export function newPersonForm(): RecordFormSpec<NewPersonForm> {
  return {
    noun: 'person',
    schema: z.strictObject({
      ...personFields.shape,
      login_name: newPerson.shape.login_name,
      email: newEmail,
      roles: roleChoices,
    }),
    policy: record({ ...personPolicy.fields, login_name: scalar }),
    sections: [
      {
        title: 'Identity',
        fields: [
          {
            path: 'login_name',
            label: 'Login name',
            input: { kind: 'text', isMono: true, placeholder: 'ada.lovelace' },
            isRequired: true,
            description: "Used to sign in. It can't be changed later.",
          },
          ...names<NewPersonForm>(),
        ],
      },
      rolesSection<NewPersonForm>(),
    ],
  };
}

/** A blank person, without access until you choose a role. */
export const blankPerson: NewPersonForm = {
  login_name: '',
  full_name: '',
  email: '',
  disabled: false,
  roles: { access: noAccess, secrets: noAccess, boxes: noAccess, modules: noAccess },
};
