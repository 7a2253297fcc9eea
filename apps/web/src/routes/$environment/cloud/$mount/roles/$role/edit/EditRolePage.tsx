import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { cloudCrumbs, cloudRoleHref, cloudRolesHref } from '#components/places/cloud.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { queryClient } from '#lib/query-client.ts';
import { cloudRoleQuery } from '#queries/cloud.ts';
import { roleKindOf } from '#routes/$environment/cloud/-roles/role-kind.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/roles/$role/edit/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudRoleQuery(params));
  },
  component: EditRolePage,
});

const route = getRouteApi('/$environment/cloud/$mount/roles/$role/edit/');

/** Edits a role; saving converts a legacy role. */
function EditRolePage() {
  const place = route.useParams();
  const { mount, role: name } = place;
  const [kind] = useState(() => roleKindOf(mount));
  const here = cloudRoleHref(place);
  return (
    <EditRecord
      kind={kind}
      address={name}
      icon={kind.icon}
      title={(role) => `${role?.legacy === true ? 'Convert' : 'Edit'} ${name}`}
      ancestors={[...cloudCrumbs(place), { id: 'role', label: name, href: here }]}
      hrefOf={() => here}
      listHref={cloudRolesHref(place)}
    />
  );
}
