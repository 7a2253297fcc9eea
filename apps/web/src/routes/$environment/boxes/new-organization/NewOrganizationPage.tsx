import {
  fieldsOfOrganization,
  type Organization,
  organization as organizationSchema,
  type OrganizationFields,
} from '@gatehouse/api-types/console/box-organizations';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { organizationCrumbs, organizationHref, organizationsHref } from '#components/places/boxes.ts';
import { NewRecordForm } from '#components/record/NewRecordForm.tsx';
import { Waiting } from '#components/record/Waiting.tsx';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery, organizations } from '#queries/box-accounts.ts';
import { useUpdateRecord } from '#queries/record-life.ts';
import { newInRegistry, newOrganizationAsCode } from '../-editing/box-as-code.ts';
import { NotManaged } from '../-editing/NotManaged.tsx';
import { newOrganizationForm } from '../-editing/organization-forms.ts';
import { organizationKind } from '../-editing/organization-kind.tsx';
import { Preview } from '../-editing/Preview.tsx';
import { MayNot } from '../BoxFrame.tsx';

export const Route = createFileRoute('/$environment/boxes/new-organization/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: NewOrganizationPage,
});

const route = getRouteApi('/$environment/boxes/new-organization/');

/** Creates an organization, with you as its first owner. */
function NewOrganizationPage() {
  usePageTitle('New organization');
  const { environment } = route.useParams();
  const account = useQuery(boxAccountQuery(environment));
  return (
    <>
      <PageHeader icon={Plus} title="New organization" ancestors={organizationCrumbs(environment)} />
      {account.data === undefined ? (
        <Waiting query={account} label="Loading your permissions" />
      ) : account.data.organizations === null ? (
        <NotManaged environment={environment} what="organizations" />
      ) : account.data.organizations.may_create ? (
        <NewOrganization environment={environment} />
      ) : (
        <MayNot
          reason="Your role in the box registry doesn't let you create organizations. Ask an administrator."
          href={organizationsHref(environment)}
          label="Go to organizations"
        />
      )}
    </>
  );
}

function NewOrganization({ environment }: { environment: string }) {
  const update = useUpdateRecord<Organization, OrganizationFields, string>(organizations, environment);
  return (
    <NewRecordForm
      kind={organizationKind}
      blank={{ username: '', profile: '' }}
      formOf={() => newOrganizationForm}
      bodyOf={(values) => values}
      taken={{
        schema: organizationSchema,
        valuesOf: (there) => ({ ...fieldsOfOrganization(there), username: there.username }),
        replace: (guard, { username, profile }) =>
          update.mutateAsync({ address: username, guard, changes: { profile } }),
      }}
      hrefOf={({ username }) => organizationHref(environment, username)}
      cancelHref={organizationsHref(environment)}
      asideOf={({ profile }, code) => (
        <>
          {code}
          <Preview text={profile} />
        </>
      )}
      codeOf={(values) => newInRegistry(newOrganizationAsCode(values))}
    />
  );
}
