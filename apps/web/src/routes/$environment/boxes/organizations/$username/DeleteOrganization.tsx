import {
  fieldsOfOrganization,
  organization as organizationSchema,
  type Organization,
} from '@gatehouse/api-types/console/box-organizations';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { counted } from '#lib/counted.ts';
import { forgetOrganization, useDeleteOrganization } from '#queries/box-accounts.ts';
import { ConfirmStored } from '../../-editing/ConfirmStored.tsx';
import { organizationForm } from '../../-editing/organization-forms.ts';

/** Asks for the name to be typed, then deletes an organization that has no boxes. */
export function DeleteOrganization({
  environment,
  organization,
  onClose,
}: {
  environment: string;
  organization: Organization;
  /** Told whether it is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const { username, members } = organization;
  const queryClient = useQueryClient();
  const remove = useDeleteOrganization(environment, username);
  const gone = (): void => {
    toasts.ok({ title: `Organization ${username} deleted` });
    onClose(true);
  };
  return (
    <ConfirmStored
      item={organization}
      schema={organizationSchema}
      spec={organizationForm}
      fieldsOf={fieldsOfOrganization}
      title={`Delete organization ${username}?`}
      confirmLabel="Delete organization"
      anywayLabel="Delete it anyway"
      typedName={username}
      impacts={[
        {
          kind: 'breaks',
          text: `${counted(members?.length ?? 0, 'person', 'people')} cannot publish under the name ${username} any more.`,
        },
        {
          kind: 'worth-knowing',
          text: 'It cannot be taken back. The name is free then: whoever takes it next can publish boxes under it.',
        },
      ]}
      mutation={remove}
      onDone={gone}
      onGone={() => {
        forgetOrganization(queryClient, environment, username);
        gone();
      }}
      onCancel={() => {
        onClose(false);
      }}
    />
  );
}
