import {
  fieldsOfOrganization,
  organization as organizationSchema,
  type Organization,
} from '@gatehouse/api-types/console/box-organizations';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { recreated } from '#components/conflict/recreate-record.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { organizationCrumbs, organizationHref, organizationsHref } from '#components/places/boxes.ts';
import {
  forgetOrganization,
  organizationQuery,
  useCreateOrganization,
  useUpdateOrganization,
} from '#queries/box-accounts.ts';
import { organizationChangesAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import { EditStored } from '#routes/$environment/boxes/-editing/EditStored.tsx';
import { organizationForm } from '#routes/$environment/boxes/-editing/organization-forms.ts';
import { MayNot } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstManaging } from '#routes/$environment/boxes/may.ts';
import { OrganizationFrame } from '../../OrganizationFrame.tsx';

const route = getRouteApi('/$environment/boxes/organizations/$username/edit/');

/** The page that changes what an organization says about itself. */
export function EditOrganizationPage() {
  const { environment, username } = route.useParams();
  usePageTitle(`Edit ${username}`);
  return (
    <>
      <PageHeader icon={PencilLine} title="Edit" ancestors={organizationCrumbs(environment, username)} />
      <OrganizationFrame environment={environment} username={username} isEdited>
        {(organization) => {
          const reason = reasonAgainstManaging(organization.may, username);
          return reason === undefined ? (
            <EditOrganization environment={environment} organization={organization} />
          ) : (
            <MayNot
              reason={reason}
              href={organizationHref(environment, username)}
              label="Go to the organization"
            />
          );
        }}
      </OrganizationFrame>
    </>
  );
}

function EditOrganization({
  environment,
  organization,
}: {
  environment: string;
  organization: Organization;
}) {
  const { username } = organization;
  const queryClient = useQueryClient();
  const update = useUpdateOrganization(environment, username);
  const create = useCreateOrganization(environment, recreated);
  return (
    <EditStored
      item={organization}
      spec={organizationForm}
      schema={organizationSchema}
      fieldsOf={fieldsOfOrganization}
      nameOf={() => username}
      update={(guard, _, values) => update.mutateAsync({ ...guard, fields: values })}
      reread={() => queryClient.fetchQuery({ ...organizationQuery(environment, username), staleTime: 0 })}
      hrefOf={() => organizationHref(environment, username)}
      goneHref={organizationsHref(environment)}
      forget={() => {
        forgetOrganization(queryClient, environment, username);
      }}
      recreate={{
        note: 'It is made anew with you as its only owner: its other members have to be added again.',
        make: (fields) => create.mutateAsync({ username, ...fields }),
      }}
      markdownOf={({ profile }) => profile}
      codeOf={(_, changes) => organizationChangesAsCode(username, changes)}
    />
  );
}
