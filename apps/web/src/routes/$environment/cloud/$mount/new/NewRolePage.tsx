import { cloudRole, type CloudRole, type CloudRoleChanges } from '@gatehouse/api-types/console/cloud-roles';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { codeSetUp } from '#components/form/as-code.ts';
import { cloudCrumbs, cloudRoleHref, cloudRolesHref } from '#components/places/cloud.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { WithRight } from '#components/record/WithRight.tsx';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery } from '#queries/cloud.ts';
import { useUpdateRecord } from '#queries/record-life.ts';
import { roleAsCode } from '../../-roles/role-as-code.ts';
import { blankRole } from '../../-roles/role-fields.ts';
import { fieldsOfForm, formOfRole, newRoleForm, type NewRoleForm } from '../../-roles/role-form.ts';
import { RoleAside, roleKindOf } from '../../-roles/role-kind.tsx';
import { reasonAgainstEngine } from '../../may.ts';

export const Route = createFileRoute('/$environment/cloud/$mount/new/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(cloudEnginesQuery(environment));
  },
  component: NewRolePage,
});

const route = getRouteApi('/$environment/cloud/$mount/new/');
const blank: NewRoleForm = { name: '', credential_type: 'assumed_role', ...blankRole };

/** Creates a role. */
function NewRolePage() {
  const place = route.useParams();
  const { environment, mount } = place;
  const [kind] = useState(() => roleKindOf(mount));
  const engines = useQuery(cloudEnginesQuery(environment));
  const engine = engines.data?.items.find((item) => item.mount === mount);
  const update = useUpdateRecord<CloudRole, CloudRoleChanges, string>(kind.calls, environment);
  const page = { icon: kind.icon, title: 'New role', ancestors: cloudCrumbs(place) };
  const listHref = cloudRolesHref(place);
  return (
    <WithRight
      {...page}
      many="roles"
      listHref={listHref}
      queries={[engines]}
      reason={reasonAgainstEngine(engine?.may, 'create_roles')}
    >
      {() => (
        <NewRecord
          {...page}
          kind={kind}
          blank={blank}
          formOf={newRoleForm}
          formKey={({ credential_type: type }) => type}
          bodyOf={fieldsOfForm}
          hrefOf={({ name }) => cloudRoleHref({ ...place, role: name })}
          cancelHref={listHref}
          taken={{
            schema: cloudRole,
            valuesOf: (role) => ({ name: role.name, ...formOfRole(role) }),
            replace: (guard, { name, ...values }) =>
              update.mutateAsync({ address: name, guard, changes: fieldsOfForm(values) }),
          }}
          asideOf={(values, code) => <RoleAside values={values}>{code}</RoleAside>}
          codeOf={({ name, ...values }) => ({
            forms: roleAsCode({ mount, role: name === '' ? 'NAME' : name }, fieldsOfForm(values)),
            setUp: codeSetUp.secrets,
          })}
        />
      )}
    </WithRight>
  );
}
