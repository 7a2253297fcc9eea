import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { organizationCrumbs, organizationHref, organizationsHref } from '#components/places/boxes.ts';
import { OnceAllowed } from '#components/record/OnceAllowed.tsx';
import { RecordEditor } from '#components/record/RecordEditor.tsx';
import { queryClient } from '#lib/query-client.ts';
import { organizations } from '#queries/box-accounts.ts';
import { recordQuery } from '#queries/record-life.ts';
import { organizationKind } from '#routes/$environment/boxes/-editing/organization-kind.tsx';
import { MayNot } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstManaging } from '#routes/$environment/boxes/may.ts';
import { OrganizationFrame } from '../../OrganizationFrame.tsx';

export const Route = createFileRoute('/$environment/boxes/organizations/$username/edit/')({
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(recordQuery(organizations, environment, username));
  },
  component: EditOrganizationPage,
});

const route = getRouteApi('/$environment/boxes/organizations/$username/edit/');

/** Edits an organization's profile. */
function EditOrganizationPage() {
  const { environment, username } = route.useParams();
  const here = organizationHref(environment, username);
  usePageTitle(`Edit ${username}`);
  return (
    <>
      <PageHeader icon={PencilLine} title="Edit" ancestors={organizationCrumbs(environment, username)} />
      <OrganizationFrame environment={environment} username={username} isEdited>
        {(organization) => (
          <OnceAllowed
            reason={reasonAgainstManaging(organization.may, username)}
            refused={(reason) => <MayNot reason={reason} href={here} label="Go to the organization" />}
          >
            <RecordEditor
              kind={organizationKind}
              address={username}
              item={organization}
              hrefOf={() => here}
              goneHref={organizationsHref(environment)}
            />
          </OnceAllowed>
        )}
      </OrganizationFrame>
    </>
  );
}
