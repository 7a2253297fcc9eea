/** The forms of organizations and of the registry's settings. */
import {
  boxSettingsFields,
  boxSettingsPolicy,
  type BoxSettingsFields,
} from '@gatehouse/api-types/console/box-accounts';
import {
  fieldsOfMember,
  newOrganization,
  organizationFields,
  organizationPolicy,
  type MemberFields,
  type NewOrganization,
  type OrganizationFields,
  type OrganizationMember,
  memberFields,
  memberPolicy,
  memberRole,
  organizationMember,
} from '@gatehouse/api-types/console/box-organizations';
import { record, scalar } from '@gatehouse/record-merge/policy';
import type { FieldSpec, RecordFormSpec } from '#components/form/record-form.ts';
import type { ComparedKind } from '#components/record/record-kind.ts';
import { memberRoleChoices, memberRoleWord } from './role-words.ts';

const profile = {
  path: 'profile',
  label: 'About',
  input: { kind: 'multiline', rows: 10, isMono: true },
  description: "Markdown, shown above the organization's boxes. HTML is removed, and images become links.",
} as const satisfies FieldSpec<OrganizationFields>;

export const organizationForm: RecordFormSpec<OrganizationFields> = {
  noun: 'organization',
  schema: organizationFields,
  policy: organizationPolicy,
  sections: [{ title: 'Profile', fields: [profile] }],
};

export const newOrganizationForm: RecordFormSpec<NewOrganization> = {
  noun: 'organization',
  schema: newOrganization,
  policy: record({ ...organizationPolicy.fields, username: scalar }),
  sections: [
    {
      title: 'Identity',
      fields: [
        {
          path: 'username',
          label: 'Name',
          input: { kind: 'text', isMono: true, placeholder: 'acme' },
          isRequired: true,
          description: "The first part of the names of its boxes. It can't be changed later.",
        },
      ],
    },
    { title: 'Profile', fields: [profile] },
  ],
};

/** The form of a member, which shows a role by its name. */
const memberForm: RecordFormSpec<MemberFields> = {
  noun: 'member',
  schema: memberFields,
  policy: memberPolicy,
  sections: [
    {
      title: 'Member',
      fields: [
        {
          path: 'role',
          label: 'Role',
          input: { kind: 'choice', options: memberRoleChoices },
          show: (value) => {
            const role = memberRole.safeParse(value);
            return role.success ? memberRoleWord(role.data) : '';
          },
        },
      ],
    },
  ],
};

/** Compares the stored member before an action on it. */
export const memberKind: ComparedKind<OrganizationMember, MemberFields> = {
  schema: organizationMember,
  fieldsOf: fieldsOfMember,
  formOf: () => memberForm,
};

const creators: Readonly<Record<BoxSettingsFields['organization_creators'], string>> = {
  administrators: 'Administrators',
  operators: 'Administrators and operators',
};

/** Who may create organizations, in words. */
export function creatorsWord(value: BoxSettingsFields['organization_creators']): string {
  return creators[value];
}

export const settingsForm: RecordFormSpec<BoxSettingsFields> = {
  noun: 'settings',
  schema: boxSettingsFields,
  policy: boxSettingsPolicy,
  sections: [
    {
      title: 'Organizations',
      fields: [
        {
          path: 'organization_creators',
          label: 'Who can create organizations',
          input: {
            kind: 'choice',
            options: [
              {
                value: 'administrators',
                label: creators.administrators,
                description: 'Operators have to ask an administrator for a new organization.',
              },
              {
                value: 'operators',
                label: creators.operators,
                description: 'Everyone who can publish can also create an organization.',
              },
            ],
          },
          show: (value) => (value === 'administrators' || value === 'operators' ? creators[value] : ''),
        },
      ],
    },
  ],
};
