import type { Problem, ProviderDependency } from '@gatehouse/module-archive/module-content';
import type { Module, ModuleAddress, Needs, VersionChoice, VersionSummary } from '../domain/module.ts';

/** ISO 8601 with milliseconds and Z. @param ms milliseconds since the epoch */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The encoded path of a module below the base URL. */
export function modulePath({ namespace, name, provider }: ModuleAddress): string {
  return [namespace, name, provider].map(encodeURIComponent).join('/');
}

function wireDeprecation({ deprecation }: VersionChoice) {
  if (deprecation === null) return null;
  const { state, message, replacement, date } = deprecation;
  return { state, message, replacement, date: wireTime(date) };
}

/** A module with one of its versions, as in lists. */
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

/** The members of a version's detail, without its folders. */
export function wireDetail(
  module: Module,
  version: VersionSummary,
  problems: readonly Problem[],
  versions: readonly string[],
  providers: readonly string[],
) {
  return {
    ...wireModule(module, version),
    archive: { size: version.archive.size, sha256: version.archive.sha256 },
    reading: { state: problems.length === 0 ? 'read' : 'unreadable', problems },
    providers,
    versions,
  };
}

/** A version in the list that clients choose from. */
export function wireChoice(version: VersionChoice, needs: Needs | undefined) {
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
    // Clients print a warning with the reason when they use such a version.
    ...(deprecation !== null && {
      deprecation: {
        ...wireDeprecation(version),
        reason: reasonOf(deprecation),
        link: '',
      },
    }),
  };
}

/** The form of Terraform's registry, which has no aliases. */
function wireProvider({ aliases: _aliases, ...provider }: ProviderDependency) {
  return provider;
}

function reasonOf({ state, message, replacement }: NonNullable<VersionSummary['deprecation']>): string {
  const what = state === 'revoked' ? 'Revoked' : 'Deprecated';
  return [`${what}: ${message}`, ...(replacement === '' ? [] : [`Use ${replacement} instead.`])].join(' ');
}
