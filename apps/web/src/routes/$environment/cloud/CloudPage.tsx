import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { CloudRoleIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { shellWord } from '#components/form/as-code.ts';
import { commandFor, useSecretsClient } from '#components/form/secrets-client.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { cloudRolesHref, cloudRootHref } from '#components/places/cloud.ts';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery, useMountEngine } from '#queries/cloud.ts';
import { mountingRefused } from '#queries/secrets.ts';
import { cloudSearch } from './cloud-search.ts';

export const Route = createFileRoute('/$environment/cloud/')({
  validateSearch: cloudSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(cloudEnginesQuery(environment));
  },
  component: CloudPage,
});

const engineColumns: readonly GridColumn<CloudEngine>[] = [
  {
    id: 'mount',
    header: 'Engine',
    value: ({ mount }) => mount,
    below: rootWords,
    width: 200,
    isRowHeader: true,
  },
  {
    id: 'root',
    header: 'Root credentials',
    value: rootWords,
    cell: (engine) =>
      engine.configured === null ? null : (
        <Badge tone={engine.configured ? 'ok' : 'warn'}>{rootWords(engine)}</Badge>
      ),
    width: 160,
  },
  { id: 'plugin', header: 'Plugin', value: ({ plugin }) => plugin, width: 200 },
  { id: 'version', header: 'Running version', value: ({ running_version: version }) => version, width: 200 },
  { id: 'description', header: 'Description', value: ({ description }) => description, width: 320 },
];

// Rarely needed: most servers already have an engine.
const MountEngine = lazy(async () => ({
  default: (await import('#components/form/MountEngine.tsx')).MountEngine,
}));
const noEngines: readonly CloudEngine[] = [];
const mountOf = ({ mount }: CloudEngine): string => mount;

/** The environment's cloud credentials engines. A single engine opens its roles directly. */
function CloudPage() {
  const { id: environment } = useEnvironment();
  const navigate = useNavigate();
  const [{ engines: isWhole = false }] = useSearchState(cloudSearch);
  const query = useQuery(cloudEnginesQuery(environment));
  const client = useSecretsClient();
  const [isMounting, setMounting] = useState(false);
  const mounting = useMountEngine(environment);
  const engines = query.data?.items ?? noEngines;
  const [only, ...others] = engines;
  if (only !== undefined && others.length === 0 && !isWhole && !isMounting)
    return <Navigate to="/$environment/cloud/$mount" params={{ environment, mount: only.mount }} replace />;
  const plugins = query.data?.available ?? null;
  const reason = reasonAgainstMounting(query.data);
  const mount = (
    <Button
      size={engines.length === 0 ? 32 : 28}
      variant="primary"
      disabledReason={reason}
      onPress={() => {
        setMounting(true);
      }}
    >
      {engines.length === 0 ? 'Mount the engine' : 'Mount another engine'}
    </Button>
  );
  return (
    <>
      <ListPage<CloudEngine>
        title="Cloud roles"
        icon={CloudRoleIcon}
        list="cloud-engines"
        label="Engines"
        noun={{ one: 'engine', many: 'engines' }}
        columns={engineColumns}
        query={query}
        rows={engines}
        rowId={mountOf}
        rowLabel={mountOf}
        rowHref={({ mount: path }) => cloudRolesHref({ environment, mount: path })}
        actions={engines.length > 0 && mount}
        empty={
          plugins?.length === 0
            ? {
                ...withoutPlugin,
                command: commandFor(
                  'vault plugin register -sha256=SHA256 secret openbao-plugin-secrets-aws',
                  client,
                ),
                action: <LinkButton href={`/${environment}/plugins`}>Open the plugin catalog</LinkButton>,
              }
            : {
                title: 'No engine is mounted',
                about:
                  reason === undefined
                    ? 'A cloud credentials engine issues temporary keys of your cloud provider, with permissions set by roles. Mount it, set its root credentials, then create the first role.'
                    : `A cloud credentials engine issues temporary keys of your cloud provider, with permissions set by roles. ${reason}`,
                command: commandFor(
                  `vault secrets enable -path=cloud ${shellWord(plugins?.[0] ?? (client.command === 'bao' ? 'openbao-plugin-secrets-aws' : 'aws'))}`,
                  client,
                ),
                action: mount,
              }
        }
      />
      {isMounting && (
        <Suspense fallback={null}>
          <MountEngine
            title="Mount a cloud credentials engine"
            about="The engine issues nothing until it has root credentials and a role."
            suggested="cloud"
            mounting={mounting}
            plugins={plugins}
            taken={engines.map(mountOf)}
            onClose={(mounted) => {
              if (mounted === undefined) setMounting(false);
              // It issues nothing without root credentials, so configure them next.
              else void navigate({ href: cloudRootHref({ environment, mount: mounted }) });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** Shown if the server has no plugin to mount. */
const withoutPlugin = {
  title: 'This server has no cloud credentials engine',
  about:
    "Its plugin isn't in the catalog. Once an administrator puts the program into the plugin directory and registers it, the engine can be mounted.",
};

function reasonAgainstMounting(
  known: { readonly may_mount: boolean | null } | undefined,
): string | undefined {
  if (known === undefined) return 'Your permissions here are still loading.';
  return known.may_mount === false ? mountingRefused : undefined;
}

/** Whether root credentials are configured; empty if unknown. */
function rootWords({ configured }: CloudEngine): string {
  return configured === null ? '' : configured ? 'Configured' : 'Not configured';
}
