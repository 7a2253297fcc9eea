/** Organizations as records that can be edited and deleted. */
import {
  fieldsOfOrganization,
  organization,
  type NewOrganization,
  type Organization,
  type OrganizationFields,
} from '@gatehouse/api-types/console/box-organizations';
import { BoxIcon } from '@gatehouse/ui/icon';
import type { RecordKind } from '#components/record/record-kind.ts';
import { organizations } from '#queries/box-accounts.ts';
import { organizationChangesAsCode, registryNote } from './box-as-code.ts';
import { organizationForm } from './organization-forms.ts';
import { Preview } from './Preview.tsx';

export const organizationKind: RecordKind<
  Organization,
  OrganizationFields,
  NewOrganization,
  OrganizationFields
> = {
  calls: organizations,
  noun: 'organization',
  icon: BoxIcon,
  nameOf: ({ username }) => username,
  schema: organization,
  fieldsOf: fieldsOfOrganization,
  formOf: () => organizationForm,
  bodyOf: (_, { values }) => values,
  anewOf: (fields, { username }) => ({ username, ...fields }),
  anewNote: 'You are the only owner of the new organization. Add its other members again.',
  code: {
    of: (_, { item, stored, values }) =>
      organizationChangesAsCode(item.username, values.profile === stored.profile ? {} : values),
    note: registryNote,
  },
  asideOf: ({ values }, code) => (
    <>
      {code}
      <Preview text={values.profile} />
    </>
  ),
};
