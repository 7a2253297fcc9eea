import type { CloudRoleSummary } from '@gatehouse/api-types/console/cloud-roles';
import { Banner } from '@gatehouse/ui/banner';
import { CloudRoleIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { MenuButton } from '@gatehouse/ui/menu';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { argument } from '#components/form/as-code.ts';
import { useSecretsCommand } from '#components/form/secrets-client.ts';
import type { Narrowed } from '#components/list/ListGrid.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { Pager } from '#components/list/Pager.tsx';
import { type ChangeSearch, useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import {
  cloudHref,
  cloudLeaseHref,
  cloudRoleHref,
  cloudRootHref,
  newCloudRoleHref,
} from '#components/places/cloud.ts';
import { FavoriteButton } from '#components/record/RecordButtons.tsx';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery, cloudRolesQuery, hasMoreRoles } from '#queries/cloud.ts';
import { reasonAgainstEngine } from '../may.ts';
import { useEngine } from '../use-engine.ts';
import { roleColumns } from './role-columns.tsx';
import { rolesSearch, type RolesSearch } from './roles-search.ts';

export const Route = createFileRoute('/$environment/cloud/$mount/')({
  validateSearch: rolesSearch.parse,
  loaderDeps: ({ search }) => rolesSearch.parse(search),
  loader: ({ params: { environment, mount }, deps }) => {
    void queryClient.prefetchQuery(cloudRolesQuery({ environment, mount }, deps));
    void queryClient.prefetchQuery(cloudEnginesQuery(environment));
  },
  component: RolesPage,
});

const UnmountEngine = lazy(async () => ({ default: (await import('./UnmountEngine.tsx')).UnmountEngine }));

const route = getRouteApi('/$environment/cloud/$mount/');
const noRoles: readonly CloudRoleSummary[] = [];
const nameOf = ({ name }: CloudRoleSummary): string => name;

/** An engine's roles, in pages. */
function RolesPage() {
  const place = route.useParams();
  const navigate = useNavigate();
  const [search, change] = useSearchState(rolesSearch);
  const query = useQuery(cloudRolesQuery(place, search));
  const engine = useEngine(place);
  const command = useSecretsCommand(
    `vault write ${argument(`${place.mount}/roles/deploy`)} credential_type=assumed_role role_arns=arn:aws:iam::123456789012:role/deploy`,
  );
  // A new search starts at the first page.
  const { text, write } = useSearchText(search.q ?? '', (q) => {
    change({ q: q === '' ? undefined : q, page: undefined });
  });
  const [isUnmounting, setUnmounting] = useState(false);
  const go = (href: string) => (): void => void navigate({ href });
  const engines = cloudHref(place.environment, true);
  return (
    <ListPage<CloudRoleSummary>
      title={place.mount}
      pageTitle={`Cloud roles of ${place.mount}`}
      label={`Roles of ${place.mount}`}
      group="Cloud roles"
      icon={CloudRoleIcon}
      ancestors={[{ id: 'cloud', label: 'Cloud roles', href: engines }]}
      up={engines}
      list="cloud-roles"
      noun={{ one: 'role', many: 'roles' }}
      columns={roleColumns}
      query={query}
      rows={query.data?.items ?? noRoles}
      rowId={nameOf}
      rowLabel={nameOf}
      rowHref={({ name }) => cloudRoleHref({ ...place, role: name })}
      actions={
        <>
          <FavoriteButton name={place.mount} group="Cloud roles" />
          <MenuButton
            label="Engine settings"
            size={28}
            placement="bottom end"
            items={[
              { id: 'root', label: 'Root credentials', onAction: go(cloudRootHref(place)) },
              { id: 'lease', label: 'Lease settings', onAction: go(cloudLeaseHref(place)) },
              {
                id: 'unmount',
                label: 'Unmount engine',
                isDanger: true,
                disabledReason:
                  engine === undefined
                    ? 'The engine is being loaded.'
                    : reasonAgainstEngine(engine.may, 'unmount'),
                onAction: () => {
                  setUnmounting(true);
                },
              },
            ]}
          />
        </>
      }
      create={{
        href: newCloudRoleHref(place),
        reason: reasonAgainstEngine(engine?.may, 'create_roles'),
      }}
      find={{ label: 'Search role names', text, write, isPending: query.isPlaceholderData }}
      barEnd={
        <Pager
          group="Cloud roles"
          page={search.page ?? 1}
          hasMore={hasMoreRoles(query.data?.total ?? 0, search.page)}
          onPage={(page) => {
            change({ page }, true);
          }}
        />
      }
      narrowed={narrowedBy(search, change)}
      empty={{
        about:
          'A role defines which cloud credentials are issued, what they can do and how long they last. Users and programs request them by its name.',
        command,
      }}
    >
      {isUnmounting && engine !== undefined && (
        <Suspense fallback={null}>
          <UnmountEngine
            environment={place.environment}
            engine={engine}
            onClose={() => {
              setUnmounting(false);
            }}
          />
        </Suspense>
      )}
      {engine?.configured === false && (
        <div className="p-4 pb-0">
          <Banner
            tone="warn"
            title="No root credentials are configured"
            announce="none"
            actions={
              <LinkButton href={cloudRootHref(place)} size={28}>
                Root credentials
              </LinkButton>
            }
          >
            Roles only work if the server finds its own credentials: in its environment, in a shared
            credentials file, or from its machine's role.
          </Banner>
        </div>
      )}
    </ListPage>
  );
}

function narrowedBy({ q, page }: RolesSearch, change: ChangeSearch<RolesSearch>): Narrowed | undefined {
  if (page !== undefined) {
    return {
      title: `Page ${page.toLocaleString('en')} doesn't exist.`,
      label: 'Go to the first page',
      onClear: () => {
        change({ page: undefined });
      },
    };
  }
  if (q === undefined) return undefined;
  return {
    title: `No role matches "${q}".`,
    label: 'Show all roles',
    onClear: () => {
      change({ q: undefined });
    },
  };
}
