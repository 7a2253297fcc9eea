import {
  fieldsOfOrganization,
  organization as organizationSchema,
} from '@gatehouse/api-types/console/box-organizations';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Failure } from '#components/errors/Failure.tsx';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { organizationCrumbs, organizationHref, organizationsHref } from '#components/places/boxes.ts';
import { boxAccountQuery, useCreateOrganization, useReplaceOrganization } from '#queries/box-accounts.ts';
import { newOrganizationAsCode } from '../-editing/box-as-code.ts';
import { NewStored } from '../-editing/NewStored.tsx';
import { NotManaged } from '../-editing/NotManaged.tsx';
import { newOrganizationForm } from '../-editing/organization-forms.ts';
import { Loading, MayNot } from '../BoxFrame.tsx';

const route = getRouteApi('/$environment/boxes/new-organization/');

/** The page that creates an organization, of which the person is the first owner. */
export function NewOrganizationPage() {
  usePageTitle('New organization');
  const { environment } = route.useParams();
  const account = useQuery(boxAccountQuery(environment));
  return (
    <>
      <PageHeader icon={Plus} title="New organization" ancestors={organizationCrumbs(environment)} />
      {account.data === undefined ? (
        account.isError ? (
          <Failure error={account.error} onRetry={() => void account.refetch()} />
        ) : (
          <Loading label="Loading what you may do" />
        )
      ) : account.data.organizations === null ? (
        <NotManaged environment={environment} what="organizations" />
      ) : account.data.organizations.may_create ? (
        <NewOrganization environment={environment} />
      ) : (
        <MayNot
          reason="Your role at the box registry does not let you create organizations. Ask an administrator."
          href={organizationsHref(environment)}
          label="Go to the organizations"
        />
      )}
    </>
  );
}

function NewOrganization({ environment }: { environment: string }) {
  const create = useCreateOrganization(environment);
  const replace = useReplaceOrganization(environment);
  return (
    <NewStored
      spec={newOrganizationForm}
      blank={{ username: '', profile: '' }}
      schema={organizationSchema}
      valuesOf={(there) => ({ ...fieldsOfOrganization(there), username: there.username })}
      nameOf={({ username }) => username}
      create={(values) => create.mutateAsync(values)}
      replace={(guard, { username, profile }) =>
        replace.mutateAsync({ ...guard, username, fields: { profile } })
      }
      hrefOf={({ username }) => organizationHref(environment, username)}
      cancelHref={organizationsHref(environment)}
      markdownOf={({ profile }) => profile}
      codeOf={newOrganizationAsCode}
    />
  );
}
