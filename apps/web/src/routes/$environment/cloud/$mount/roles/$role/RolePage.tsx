import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Tabs } from '@gatehouse/ui/tabs';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { codeSetUp } from '#components/form/as-code.ts';
import { cloudCrumbs, cloudRoleHref, cloudRolesHref, editCloudRoleHref } from '#components/places/cloud.ts';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { TargetsReading } from '#components/source/TargetsReading.tsx';
import { typeInWords } from '#lib/cloud-types.ts';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery, cloudRoleQuery, type RolePlace } from '#queries/cloud.ts';
import { roleKindOf, storedRoleAsCode } from '#routes/$environment/cloud/-roles/role-kind.tsx';
import { useEngine } from '#routes/$environment/cloud/use-engine.ts';
import { roleSearch } from './role-search.ts';
import { RoleCards } from './RoleCards.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/roles/$role/')({
  validateSearch: roleSearch.parse,
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudRoleQuery(params));
    void queryClient.prefetchQuery(cloudEnginesQuery(params.environment));
  },
  component: RolePage,
});

// Loaded when their tab opens, or before a deletion.
const DeleteRole = lazy(async () => ({
  default: (await import('#routes/$environment/cloud/-roles/DeleteRole.tsx')).DeleteRole,
}));
const AsCode = lazy(async () => ({ default: (await import('#components/form/AsCode.tsx')).AsCode }));
const EffectivePermissions = lazy(async () => ({
  default: (await import('#routes/$environment/cloud/-policy/EffectivePermissions.tsx')).EffectivePermissions,
}));
const GenerateCredentials = lazy(async () => ({
  default: (await import('#routes/$environment/cloud/-credentials/GenerateCredentials.tsx'))
    .GenerateCredentials,
}));
const RoleLeases = lazy(async () => ({
  default: (await import('#routes/$environment/cloud/-leases/RoleLeases.tsx')).RoleLeases,
}));
const route = getRouteApi('/$environment/cloud/$mount/roles/$role/');

/** One role: what it issues with which permissions, its credentials and its leases. */
function RolePage() {
  const place = route.useParams();
  const { mount, role: name } = place;
  const [kind] = useState(() => roleKindOf(mount));
  return (
    <RecordDetail
      kind={kind}
      id={name}
      trailId={`${mount}/roles/${name}`}
      ancestors={cloudCrumbs(place)}
      listHref={cloudRolesHref(place)}
      editHref={editCloudRoleHref(place)}
      editLabelOf={({ legacy }) => (legacy ? 'Convert' : 'Edit')}
      metaOf={({ credential_type: type, legacy }) => (
        <span className="flex gap-1">
          <Badge>{typeInWords(type)}</Badge>
          {legacy && <Badge tone="warn">Legacy</Badge>}
        </span>
      )}
      Deletion={DeleteRole}
    >
      {(role) => (
        <>
          <RoleNews role={role} place={place} />
          <RoleTabs role={role} place={place} />
        </>
      )}
    </RecordDetail>
  );
}

function RoleNews({ role: { legacy, invalid_data: invalid }, place }: { role: CloudRole; place: RolePlace }) {
  if (!legacy && invalid === '') return null;
  return (
    <div className="flex flex-col gap-2 px-4 pt-4">
      {legacy && (
        <Banner
          tone="warn"
          title="Read-only: uses parameters from an older server version"
          announce="none"
          actions={
            <LinkButton href={editCloudRoleHref(place)} size={28}>
              Convert
            </LinkButton>
          }
        >
          The role still works. To edit it, convert it to current parameters. You see the effects before you
          save.
        </Banner>
      )}
      {invalid !== '' && (
        <Banner tone="danger" title="This role contains invalid data" announce="none">
          An older server version stored it: <span className="font-mono text-meta">{invalid}</span>
        </Banner>
      )}
    </div>
  );
}

function RoleTabs({ role, place }: { role: CloudRole; place: RolePlace }) {
  const { tab = 'permissions' } = route.useSearch();
  const engine = useEngine(place);
  const { environment } = place;
  const of = (id: string, label: string, content: ReactNode) => ({
    id,
    label,
    href: cloudRoleHref(place, id === 'permissions' ? undefined : id),
    content: (
      <div className="h-full overflow-y-auto pb-6">
        <div className="mx-auto w-full max-w-300">
          <Suspense fallback={<SkeletonList label={`Loading ${label.toLowerCase()}`} lines={6} />}>
            {content}
          </Suspense>
        </div>
      </div>
    ),
  });
  const props = engine && { environment, role, engine };
  return (
    <div className="flex min-h-0 flex-1 flex-col px-4 pt-1">
      <Tabs
        label="Role views"
        selected={tab}
        items={[
          of(
            'permissions',
            'Permissions',
            <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,400px)]">
              <EffectivePermissions role={role} />
              <RoleCards role={role} />
            </div>,
          ),
          of('credentials', 'Credentials', props && <GenerateCredentials {...props} />),
          of('leases', 'Leases', props && <RoleLeases {...props} />),
          of(
            'targets',
            'Targets',
            <TargetsReading place={{ environment, mount: place.mount, role: place.role }} />,
          ),
          of(
            'code',
            'As code',
            <AsCode
              code={storedRoleAsCode(role)}
              note={`The stored role, on the command line. ${codeSetUp.secrets}`}
            />,
          ),
        ]}
      />
    </div>
  );
}
