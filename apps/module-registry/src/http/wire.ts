import type { ProviderDependency } from '@gatehouse/module-archive/module-content';
import type { Content, Module, ModuleAddress, Needs, VersionSummary } from '../domain/module.ts';

/** ISO 8601 with milliseconds and Z. @param ms milliseconds since the epoch */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The path of a module under the base URL, encoded. */
export function modulePath({ namespace, name, provider }: ModuleAddress): string {
  return [namespace, name, provider].map(encodeURIComponent).join('/');
}

function wireDeprecation({ deprecation }: VersionSummary) {
  if (deprecation === null) return null;
  const { state, message, replacement, date } = deprecation;
  return { state, message, replacement, date: wireTime(date) };
}

/** A module as one of its versions shows it, in lists. */
export function wireModule(module: Module, version: VersionSummary) {
  const { namespace, name, provider } = module;
  return {
    id: `${namespace}/${name}/${provider}/${version.version}`,
    owner: version.owner,
    namespace,
    name,
    version: version.version,
    provider,
    description: version.description,
    source: version.source,
    published_at: wireTime(version.publishedTime),
    downloads: module.downloads,
    verified: module.verified,
    deprecation: wireDeprecation(version),
  };
}

/** A version of a module with what was read from its archive, as JSON text. */
export function wireDetail(
  module: Module,
  version: VersionSummary,
  { folders, problems }: Content,
  versions: readonly VersionSummary[],
  providers: readonly string[],
): string {
  const text = JSON.stringify({
    ...wireModule(module, version),
    archive: { size: version.archive.size, sha256: version.archive.sha256 },
    reading: { state: problems.length === 0 ? 'read' : 'unreadable', problems },
    providers,
    versions: versions.map((one) => one.version),
  });
  return `${text.slice(0, -1)},${folders.slice(1)}`;
}

/** A version as clients choose among them. */
export function wireChoice(version: VersionSummary, needs: Needs | undefined) {
  const { deprecation } = version;
  return {
    version: version.version,
    published_at: wireTime(version.publishedTime),
    ...(needs !== undefined && {
      root: {
        providers: needs.root.provider_dependencies.map(wireProvider),
        dependencies: needs.root.dependencies,
      },
      submodules: needs.submodules.map((folder) => ({
        path: folder.path,
        providers: folder.provider_dependencies.map(wireProvider),
        dependencies: folder.dependencies,
      })),
    }),
    // Clients warn whoever takes such a version, with the reason.
    ...(deprecation !== null && {
      deprecation: {
        ...wireDeprecation(version),
        reason: reasonOf(deprecation),
        link: '',
      },
    }),
  };
}

/** As the field's registries tell it. */
function wireProvider({ aliases: _aliases, ...provider }: ProviderDependency) {
  return provider;
}

function reasonOf({ state, message, replacement }: NonNullable<VersionSummary['deprecation']>): string {
  const what = state === 'revoked' ? 'Revoked' : 'Deprecated';
  return [`${what}: ${message}`, ...(replacement === '' ? [] : [`Use ${replacement} instead.`])].join(' ');
}
