import type { ModuleFolder } from '@gatehouse/api-types/console/modules';
import { Card } from '@gatehouse/ui/card';
import { Link } from '@gatehouse/ui/link';
import { moduleHref } from '#components/places/modules.ts';
import { counted } from '#lib/counted.ts';
import { Readme } from './ReadmeTab.tsx';
import type { ShownModule } from './shown-module.ts';

const rowClass =
  'flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-b border-line px-4 py-1.5 last:border-b-0';

/** The resources that the module manages, by kind. */
export function ResourcesTab({ resources }: { resources: ModuleFolder['resources'] }) {
  if (resources.length === 0)
    return <p className="py-2 text-body text-ink-2">This module manages no resources of its own.</p>;
  const byType = Map.groupBy(resources, ({ type }) => type);
  return (
    <Card title={counted(resources.length, 'resource')} isFlush>
      <ul aria-label="Resources">
        {[...byType].map(([type, ofType]) => (
          <li key={type} className={rowClass}>
            <span className="w-72 max-w-full font-mono text-meta/5 text-ink-1 wrap-anywhere">{type}</span>
            <span className="min-w-0 flex-1 font-mono text-meta/5 text-ink-2 wrap-anywhere">
              {ofType.map(({ name }) => name).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The providers that the module needs, and the modules that it calls. */
export function DependenciesTab({
  folder,
  environment,
  host,
}: {
  folder: ModuleFolder;
  environment: string;
  /** The registry's host. */
  host: string;
}) {
  const { provider_dependencies: providers, dependencies, required_version: version } = folder;
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
      <Card
        title="Providers"
        isFlush
        {...(version !== '' && {
          actions: (
            <span className="text-meta text-ink-2">
              Terraform or OpenTofu <span className="font-mono text-ink-1">{version}</span>
            </span>
          ),
        })}
      >
        {providers.length === 0 ? (
          <p className="p-4 text-body text-ink-2">No providers</p>
        ) : (
          <ul aria-label="Providers">
            {providers.map(({ name, source, version, aliases }) => (
              <li key={name} className={rowClass}>
                <span className="font-medium text-ink-1">{name}</span>
                <span className="font-mono text-meta text-ink-2 wrap-anywhere">{source}</span>
                <span className="ms-auto font-mono text-meta text-ink-1">{version || 'any version'}</span>
                {aliases.length > 0 && (
                  <span className="w-full text-meta text-ink-2 wrap-anywhere">
                    Provider configurations to pass in:{' '}
                    <span className="font-mono">{aliases.join(', ')}</span>
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Modules" isFlush>
        {dependencies.length === 0 ? (
          <p className="p-4 text-body text-ink-2">Calls no modules from outside this archive</p>
        ) : (
          <ul aria-label="Modules">
            {dependencies.map(({ name, source, version }) => (
              <li key={name} className={rowClass}>
                <span className="font-medium text-ink-1">{name}</span>
                <Source source={source} environment={environment} host={host} />
                <span className="ms-auto font-mono text-meta text-ink-1">{version || 'any version'}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

/** Links modules of this registry; other sources are text. */
function Source({ source, environment, host }: { source: string; environment: string; host: string }) {
  const prefix = host === '' ? '' : `${host}/`;
  const [, namespace, name, provider] =
    /^([\w-]+)\/([\w-]+)\/([0-9a-z]+)(?:\/\/.*)?$/.exec(
      source.startsWith(prefix) ? source.slice(prefix.length) : '',
    ) ?? [];
  const isHere = namespace !== undefined && name !== undefined && provider !== undefined;
  return (
    <span className="min-w-0 font-mono text-meta text-ink-2 wrap-anywhere">
      {isHere ? <Link href={moduleHref({ environment, namespace, name, provider })}>{source}</Link> : source}
    </span>
  );
}

/** The author's usage examples. */
export function ExamplesTab({ shown }: { shown: ShownModule }) {
  const { place, version, search } = shown;
  const { examples } = version.content;
  if (examples.length === 0) return <p className="py-2 text-body text-ink-2">No examples</p>;
  return (
    <div className="flex flex-col gap-4">
      {examples.map((folder) => (
        <Card key={folder.path} title={folder.name}>
          <p className="mb-2 flex flex-wrap gap-x-4 text-meta text-ink-2">
            <Link href={moduleHref(place, { ...search, submodule: folder.path, tab: 'inputs' })}>
              {folder.path}
            </Link>
            <span>{counted(folder.inputs.length, 'input')}</span>
            <span>{counted(folder.resources.length, 'resource')}</span>
            <span>{counted(folder.dependencies.length, 'other module')}</span>
          </p>
          <Readme shown={shown} folder={folder} label={`readme of ${folder.name}`} />
        </Card>
      ))}
    </div>
  );
}
