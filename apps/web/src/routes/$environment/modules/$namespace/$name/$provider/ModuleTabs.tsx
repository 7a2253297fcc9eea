import type { Module, ModuleFolder, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { ErrorState } from '@gatehouse/ui/error-state';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { Select } from '@gatehouse/ui/select';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Tabs, type TabItem } from '@gatehouse/ui/tabs';
import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { Suspense, useEffect, useRef, type ReactNode } from 'react';
import { moduleHref } from '#components/places/modules.ts';
import type { ModulePlace } from '#queries/modules.ts';
import { DependenciesTab, ExamplesTab, ResourcesTab } from './ContentTabs.tsx';
import { InputsTab, OutputsTab } from './InputsTab.tsx';
import type { ModuleSearch, ModuleTab } from './module-search.ts';
import { NotRead } from './NotRead.tsx';
import { ChooseSubmodule, ReadmeTab } from './ReadmeTab.tsx';
import { isRootOfSubmodules, type ShownModule } from './shown-module.ts';

const UsageBuilder = lazy(async () => ({
  default: (await import('#routes/$environment/modules/-usage/UsageBuilder.tsx')).UsageBuilder,
}));
const DownloadsTab = lazy(async () => ({ default: (await import('./DownloadsTab.tsx')).DownloadsTab }));
const VersionsTab = lazy(async () => ({ default: (await import('./VersionsTab.tsx')).VersionsTab }));
const UpgradeTab = lazy(async () => ({ default: (await import('./UpgradeTab.tsx')).UpgradeTab }));

/** The content of one version, by part. */
export function ModuleTabs({
  place,
  module,
  version,
  folder,
  search,
}: {
  place: ModulePlace;
  module: Module;
  version: ModuleVersion;
  /** Undefined if the version doesn't have the folder in the address. */
  folder: ModuleFolder | null | undefined;
  search: ModuleSearch;
}) {
  const { tab = 'readme', compare: _, ...kept } = search;
  const tabs = useRef<HTMLDivElement>(null);
  // On narrow screens, the linked tab may be scrolled out of sight.
  useEffect(() => {
    const chosen = tabs.current?.querySelector('[role="tab"][aria-selected="true"]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  const { submodules, examples } = version.content;
  if (folder === undefined) {
    return (
      <ErrorState
        icon={SearchX}
        title={`Version ${version.version} has no ${search.submodule ?? 'module'}`}
        why="It may exist in other versions of this module."
        action={
          <LinkButton href={moduleHref(place, { ...search, submodule: undefined })}>
            Show the root module
          </LinkButton>
        }
      />
    );
  }
  const shown: ShownModule = { place, module, version, folder, search };
  const hrefOf = (id: ModuleTab | undefined): string => moduleHref(place, { ...kept, tab: id });
  const ofFolder = (draw: (present: ModuleFolder) => ReactNode): ReactNode => (
    <TabBody>{folder === null ? <NotRead shown={shown} /> : draw(folder)}</TabBody>
  );
  const count = (list: readonly unknown[] | undefined) =>
    list === undefined || list.length === 0 ? {} : { count: list.length };
  const needed = folder && [...folder.provider_dependencies, ...folder.dependencies];
  const items: readonly TabItem[] = [
    {
      id: 'readme',
      label: 'Readme',
      href: hrefOf(undefined),
      content: (
        <TabBody>
          <ReadmeTab shown={shown} />
        </TabBody>
      ),
    },
    {
      id: 'inputs',
      label: 'Inputs',
      ...count(folder?.inputs),
      href: hrefOf('inputs'),
      content: ofFolder(({ inputs }) => <InputsTab inputs={inputs} />),
    },
    {
      id: 'outputs',
      label: 'Outputs',
      ...count(folder?.outputs),
      href: hrefOf('outputs'),
      content: ofFolder(({ outputs }) => <OutputsTab outputs={outputs} />),
    },
    {
      id: 'resources',
      label: 'Resources',
      ...count(folder?.resources),
      href: hrefOf('resources'),
      content: ofFolder(({ resources }) => <ResourcesTab resources={resources} />),
    },
    {
      id: 'dependencies',
      label: 'Dependencies',
      ...count(needed ?? undefined),
      href: hrefOf('dependencies'),
      content: ofFolder((present) => (
        <DependenciesTab folder={present} environment={place.environment} host={module.host} />
      )),
    },
    {
      id: 'examples',
      label: 'Examples',
      ...count(examples),
      href: hrefOf('examples'),
      content: (
        <TabBody>
          <ExamplesTab shown={shown} />
        </TabBody>
      ),
    },
    {
      id: 'use',
      label: 'Use',
      href: hrefOf('use'),
      content: (
        <TabBody>
          {isRootOfSubmodules(version, folder) ? (
            <ChooseSubmodule shown={shown} />
          ) : (
            <UsageBuilder
              key={`${version.version} ${folder?.path ?? ''}`}
              environment={place.environment}
              module={module}
              version={version.version}
              folder={folder}
            />
          )}
        </TabBody>
      ),
    },
    {
      id: 'versions',
      label: 'Versions',
      count: module.versions.length,
      href: hrefOf('versions'),
      content: (
        <TabBody>
          <VersionsTab shown={shown} />
        </TabBody>
      ),
    },
    {
      id: 'downloads',
      label: 'Downloads',
      href: hrefOf('downloads'),
      content: (
        <TabBody>
          <DownloadsTab shown={shown} />
        </TabBody>
      ),
    },
    {
      id: 'upgrade',
      label: 'Upgrade',
      href: hrefOf('upgrade'),
      content: (
        <TabBody>
          <UpgradeTab shown={shown} />
        </TabBody>
      ),
    },
  ];
  return (
    <>
      {(submodules.length > 0 || examples.length > 0) && (
        <FolderPicker
          path={folder?.path ?? ''}
          submodules={submodules}
          examples={examples}
          hrefOf={(path) => moduleHref(place, { ...kept, tab: search.tab, submodule: path || undefined })}
        />
      )}
      <div ref={tabs} className="flex min-h-0 flex-1 flex-col">
        <Tabs label="Parts of the module" selected={tab} items={items} />
      </div>
    </>
  );
}

function TabBody({ children }: { children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto pb-6">
      <div className="mx-auto max-w-300">
        <Suspense fallback={<SkeletonList label="Loading" lines={6} />}>{children}</Suspense>
      </div>
    </div>
  );
}

/** Selects the root module, a submodule or an example: each is read and used separately. */
function FolderPicker({
  path,
  submodules,
  examples,
  hrefOf,
}: {
  path: string;
  submodules: readonly ModuleFolder[];
  examples: readonly ModuleFolder[];
  hrefOf: (path: string) => string;
}) {
  const navigate = useNavigate();
  const optionsOf = (folders: readonly ModuleFolder[]) =>
    folders.map((folder) => ({ id: folder.path, label: folder.path }));
  const groups = [
    { label: 'Module', options: [{ id: '/', label: 'Root module' }] },
    { label: 'Submodules', options: optionsOf(submodules) },
    { label: 'Examples', options: optionsOf(examples) },
  ].filter(({ options }) => options.length > 0);
  return (
    <div className="w-64 max-w-full shrink-0">
      <Select
        label="Module or submodule"
        isLabelHidden
        size={28}
        options={groups}
        value={path || '/'}
        onChange={(id) => void navigate({ href: hrefOf(id === '/' ? '' : id) })}
      />
    </div>
  );
}
