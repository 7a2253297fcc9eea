import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { ErrorState } from '@gatehouse/ui/error-state';
import { ModuleIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { BadgeCheck, SearchX } from 'lucide-react';
import { Suspense } from 'react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { PageNeighbours } from '#components/list/PageNeighbours.tsx';
import { moduleCrumbs, moduleHref, modulesHref, publishModuleHref } from '#components/places/modules.ts';
import { ForgetFavorite } from '#components/record/ForgetFavorite.tsx';
import { RecordButtons } from '#components/record/RecordButtons.tsx';
import { Waiting } from '#components/record/Waiting.tsx';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import {
  isModuleAt,
  type ModulePlace,
  moduleQuery,
  moduleVersionQuery,
  useListedModules,
} from '#queries/modules.ts';
import { reasonAgainstPublishing } from '#routes/$environment/modules/-manage/may.ts';
import { DeprecationBadge } from '#routes/$environment/modules/DeprecationBadge.tsx';
import { moduleSearch } from './module-search.ts';
import { ModuleTabs } from './ModuleTabs.tsx';
import { folderAt, versionToShow } from './shown-module.ts';
import { VersionNews } from './VersionNews.tsx';

export const Route = createFileRoute('/$environment/modules/$namespace/$name/$provider/')({
  validateSearch: moduleSearch.parse,
  loaderDeps: ({ search }) => ({ version: moduleSearch.parse(search).version }),
  loader: ({ params, deps: { version } }) => {
    void queryClient.prefetchQuery(moduleQuery(params));
    if (version !== undefined) void queryClient.prefetchQuery(moduleVersionQuery(params, version));
  },
  component: ModulePage,
});

// They contain menus, so they load after the page is drawn.
const VersionPicker = lazy(async () => ({ default: (await import('./VersionPicker.tsx')).VersionPicker }));
const ManageMenu = lazy(async () => ({
  default: (await import('#routes/$environment/modules/-manage/ManageMenu.tsx')).ManageMenu,
}));
const route = getRouteApi('/$environment/modules/$namespace/$name/$provider/');

/** One module: its content, how to use it, who downloads it, and what other versions change. */
function ModulePage() {
  const place = route.useParams();
  // The router keeps parameters that don't match the schema; parsing drops them.
  const search = moduleSearch.parse(route.useSearch());
  const navigate = useNavigate();
  const query = useQuery(moduleQuery(place));
  usePolling(moduleQuery(place), 30, query.isSuccess);
  const module = query.data;
  const shown = search.version ?? (module && versionToShow(module));
  const versionQuery = useQuery({
    ...moduleVersionQuery(place, shown ?? ''),
    enabled: shown !== undefined,
  });
  const version = versionQuery.data;
  const { environment, namespace, name, provider } = place;
  usePageTitle(`${namespace}/${name}/${provider}`);
  const cannotPublish = module && reasonAgainstPublishing(module.may);
  const publish = publishModuleHref(environment, place);
  const group = 'Module';
  useShortcut(
    module && {
      keys: 'c',
      label: 'Publish a version',
      group,
      disabledReason: cannotPublish,
      run: () => void navigate({ href: publish }),
    },
  );
  useShortcut({
    keys: 'u',
    label: 'Up',
    group,
    run: () => void navigate({ href: modulesHref(environment) }),
  });
  return (
    <>
      <PageHeader
        icon={ModuleIcon}
        title={name}
        ancestors={moduleCrumbs(environment, namespace)}
        meta={
          <>
            <Badge>{provider}</Badge>
            {module?.verified === true && (
              <Badge tone="accent" icon={BadgeCheck}>
                Verified
              </Badge>
            )}
            {version?.deprecation && <DeprecationBadge deprecation={version.deprecation} />}
          </>
        }
        actions={
          module && (
            <>
              <ModuleNeighbours place={place} />
              <RecordButtons resource={`${namespace}/${name}/${provider}`} name={name} group={group} />
              {shown !== undefined && module.versions.length > 0 && (
                <Suspense fallback={<span className="h-7 w-20" />}>
                  <VersionPicker place={place} module={module} shown={shown} search={search} />
                </Suspense>
              )}
              {version && (
                <Suspense fallback={<span className="size-7" />}>
                  <ManageMenu environment={environment} module={module} version={version} />
                </Suspense>
              )}
              {cannotPublish === undefined ? (
                <LinkButton href={publish} size={28}>
                  Publish a version
                </LinkButton>
              ) : (
                <Button size={28} disabledReason={cannotPublish}>
                  Publish a version
                </Button>
              )}
            </>
          )
        }
      />
      {module === undefined ? (
        <NoModule place={place} query={query} />
      ) : shown === undefined ? (
        <EmptyState
          icon={ModuleIcon}
          title="No versions"
          command={`PUT /v1/modules/${namespace}/${name}/${provider}/1.0.0`}
          action={<LinkButton href={modulesHref(environment)}>Go to modules</LinkButton>}
        >
          All versions of this module were deleted. Their numbers can't be reused.
        </EmptyState>
      ) : version === undefined ? (
        isApiError(versionQuery.error, 'not-found') ? (
          <ErrorState
            icon={SearchX}
            title={`Version ${shown} not found`}
            why={`${namespace}/${name}/${provider} has no such version. It may have been deleted.`}
            action={<LinkButton href={moduleHref(place)}>Show the latest version</LinkButton>}
          />
        ) : (
          <Waiting query={versionQuery} label={`Loading version ${shown}`} />
        )
      ) : (
        <div className="flex min-h-0 flex-1 flex-col gap-2 px-4 pt-2">
          <VersionNews place={place} module={module} version={version} />
          <ModuleTabs
            place={place}
            module={module}
            version={version}
            folder={folderAt(version, search.submodule)}
            search={search}
          />
        </div>
      )}
    </>
  );
}

function NoModule({
  place: { environment, namespace, name, provider },
  query,
}: {
  place: ModulePlace;
  query: Parameters<typeof Waiting>[0]['query'];
}) {
  const list = <LinkButton href={modulesHref(environment)}>Go to modules</LinkButton>;
  if (!isApiError(query?.error, 'not-found'))
    return <Waiting query={query} label="Loading the module" action={list} />;
  return (
    <ErrorState
      icon={SearchX}
      title={`Module ${namespace}/${name}/${provider} not found`}
      why="The registry has no module of this name for this provider."
      mend="Check the spelling, or search for it."
      requestId={query.error.problem?.requestId}
      action={
        <>
          {list}
          <ForgetFavorite />
        </>
      }
    />
  );
}

/** Moves through the page of the list that the module was opened from; empty without one. */
function ModuleNeighbours({ place }: { place: ModulePlace }) {
  const navigate = useNavigate();
  const modules = useListedModules(place);
  return (
    <PageNeighbours
      noun="module"
      rows={modules}
      isThis={isModuleAt(place)}
      go={(module) =>
        void navigate({ href: moduleHref({ environment: place.environment, ...module }), replace: true })
      }
    />
  );
}
