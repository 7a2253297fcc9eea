import type { ModuleSummary } from '@gatehouse/api-types/console/modules';
import { ModuleIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { CreateButton } from '#components/list/ListCreate.tsx';
import type { Narrowed } from '#components/list/ListGrid.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { Pager } from '#components/list/Pager.tsx';
import { type ChangeSearch, useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import { moduleHref, moduleTokensHref, publishModuleHref } from '#components/places/modules.ts';
import { newMoveHref } from '#components/places/moves.ts';
import { isApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { moduleSearchQuery } from '#queries/modules.ts';
import { reasonAgainstPublishing } from './-manage/may.ts';
import { moduleIdOf, modulesView, sortedModules } from './module-columns.tsx';
import { modulesSearch, type ModulesSearch } from './modules-search.ts';

export const Route = createFileRoute('/$environment/modules/')({
  validateSearch: modulesSearch.parse,
  loaderDeps: ({ search }) => modulesSearch.parse(search),
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchQuery(moduleSearchQuery(environment, deps));
  },
  component: ModulesPage,
});

// They contain lists to choose from, so they load after the page is drawn.
const ModuleFilters = lazy(async () => ({ default: (await import('./ModuleFilters.tsx')).ModuleFilters }));
const OpenModule = lazy(async () => ({ default: (await import('./OpenModule.tsx')).OpenModule }));
const noModules: readonly ModuleSummary[] = [];

/** The registry's modules, searched, filtered and paged by the registry. */
function ModulesPage() {
  const { id: environment } = useEnvironment();
  const [search, change] = useSearchState(modulesSearch);
  const { sort: chosen, ...sought } = search;
  const query = useQuery(moduleSearchQuery(environment, sought));
  // A new search starts at the first page.
  const { text, write } = useSearchText(search.q ?? '', (q) => {
    change({ q: q === '' ? undefined : q, page: undefined });
  });
  const modules = query.data?.modules ?? noModules;
  const { columns, rows, sort } = useMemo(
    () => sortedModules(modules, search.page === undefined && query.data?.more === false, chosen),
    [modules, search.page, query.data?.more, chosen],
  );
  const cannotPublish = reasonAgainstPublishing(query.data?.may ?? null);
  return (
    <ListPage<ModuleSummary>
      title="Modules"
      icon={ModuleIcon}
      list="modules"
      firstView={modulesView}
      noun={{ one: 'module', many: 'modules' }}
      columns={columns}
      query={query}
      rows={rows}
      rowId={moduleIdOf}
      rowLabel={moduleIdOf}
      rowHref={(module) => moduleHref({ environment, ...module })}
      actions={
        <>
          <CreateButton
            create={{ href: newMoveHref(environment, 'modules'), reason: cannotPublish }}
            label="Import modules…"
            variant="secondary"
          />
          <LinkButton href={moduleTokensHref(environment)} size={28}>
            Tokens
          </LinkButton>
        </>
      }
      create={{
        href: publishModuleHref(environment),
        reason: cannotPublish,
        label: 'Publish a module',
      }}
      find={{
        label: 'Search name, namespace, description',
        text,
        write,
        isPending: query.isPlaceholderData,
      }}
      filters={{
        after: (
          <Suspense fallback={<span className="block h-7 w-24" />}>
            <ModuleFilters search={search} modules={modules} onChange={change} />
          </Suspense>
        ),
      }}
      sort={sort}
      onSort={(next) => {
        change({ sort: next });
      }}
      barEnd={
        <Pager
          group="Modules"
          page={search.page ?? 1}
          hasMore={query.data?.more ?? false}
          onPage={(page) => {
            change({ page }, true);
          }}
        />
      }
      narrowed={narrowedBy(search, change)}
      {...(isApiError(query.error, 'not-found') && {
        error: (
          <Suspense fallback={null}>
            <OpenModule environment={environment} />
          </Suspense>
        ),
      })}
      empty={{
        title: 'No modules you can see',
        about:
          'A module is reusable, versioned infrastructure as code for one provider. Terraform and OpenTofu fetch modules from this registry.',
        command:
          'curl --fail-with-body --upload-file module.tar.gz --header "Authorization: Bearer $MODULE_REGISTRY_TOKEN" "$MODULE_REGISTRY/v1/modules/acme/vpc/aws/1.0.0"',
        create: 'Publish the first module',
      }}
    />
  );
}

function narrowedBy(search: ModulesSearch, change: ChangeSearch<ModulesSearch>): Narrowed | undefined {
  const { page, q, namespace, provider, verified, deprecated } = search;
  if (page !== undefined) {
    return {
      title: `Page ${page.toLocaleString('en')} doesn't exist.`,
      label: 'Go to the first page',
      onClear: () => {
        change({ page: undefined });
      },
    };
  }
  const what = [
    q !== undefined && `"${q}"`,
    namespace !== undefined && `namespace ${namespace}`,
    provider !== undefined && `provider ${provider}`,
    verified === true && 'verified only',
    deprecated !== undefined && (deprecated ? 'deprecated only' : 'not deprecated'),
  ].filter((part) => part !== false);
  if (what.length === 0) return undefined;
  return {
    title: `No module matches: ${what.join(', ')}.`,
    label: 'Show all modules',
    onClear: () => {
      change(noFilters);
    },
  };
}

/** Resets all filters. */
const noFilters = {
  q: undefined,
  namespace: undefined,
  provider: undefined,
  verified: undefined,
  deprecated: undefined,
  page: undefined,
} as const;
