/** Maps modules and their versions from the registry's format to the console's. */
import { isPrerelease, newestModuleFirst } from '@gatehouse/api-types/console/module-values';
import type {
  Deprecation,
  Module,
  ModuleContent,
  ModulesMay,
  ModuleSummary,
  ModuleVersion,
  VersionChoice,
} from '@gatehouse/api-types/console/modules';
import type {
  WireDeprecation,
  WireIssuedToken,
  WireModuleDetail,
  WireModuleSummary,
  WireOwnToken,
  WireVersionChoices,
} from '@gatehouse/api-types/services/module-registry';
import { hashOf } from '#ground/fields-revision.ts';
import { clientUrlOf, type OwnAddresses } from './own-address.ts';

/** Identifies a module. */
export interface ModulePlace {
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
}
export interface VersionPlace extends ModulePlace {
  readonly version: string;
}

/** The registry that clients use when a source names none. */
const publicHost = 'registry.terraform.io';

export function summaryOf(wire: WireModuleSummary): ModuleSummary {
  const { namespace, name, provider, version, owner, description, source, verified } = wire;
  return {
    namespace,
    name,
    provider,
    version,
    owner,
    description,
    source,
    published_time: wire.published_at,
    downloads: wire.downloads,
    verified,
    deprecation: deprecationOf(wire.deprecation),
  };
}

/**
 * A module with its versions.
 * @param base path of the registry's modules on the console's side
 * @param detail the latest version's; null if the registry has no such operation
 */
export function moduleOf(
  addresses: OwnAddresses,
  base: string,
  at: ModulePlace,
  versions: WireVersionChoices,
  detail: WireModuleDetail | null,
  may: ModulesMay,
): Module {
  const choices = choicesOf(versions);
  const verified = detail?.verified ?? false;
  const host = addresses.clientUrl?.host ?? '';
  const path = `${at.namespace}/${at.name}/${at.provider}`;
  return {
    namespace: at.namespace,
    name: at.name,
    provider: at.provider,
    revision: hashOf({ verified }),
    verified,
    owner: detail?.owner ?? '',
    description: detail?.description ?? '',
    source: detail?.source ?? '',
    downloads: detail?.downloads ?? null,
    latest: latestOf(choices),
    versions: choices,
    providers: [...new Set([...(detail?.providers ?? []), at.provider])],
    address: host === '' || host === publicHost ? path : `${host}/${path}`,
    host,
    services_url: servicesUrlOf(addresses, base),
    may,
  };
}

function servicesUrlOf(addresses: OwnAddresses, base: string): string {
  const { ownUrl, clientUrl } = addresses;
  if (clientUrl === null || (clientUrl.protocol === 'https:' && clientUrl.pathname === '/')) return '';
  return clientUrlOf(addresses, new URL(`${base}/`, ownUrl))?.href ?? '';
}

/** A module's versions, newest first. The first module in the answer is the requested one. */
export function choicesOf({ modules: [module] }: WireVersionChoices): VersionChoice[] {
  return newestModuleFirst(
    (module?.versions ?? []).map(({ version, published_at, deprecation }) => ({
      version,
      published_time: published_at,
      deprecation: deprecationOf(deprecation),
    })),
  );
}

/** The version that clients use when they name none. */
function latestOf(choices: readonly VersionChoice[]): string | null {
  const usable = choices.find(
    ({ version, deprecation }) => !isPrerelease(version) && deprecation?.state !== 'revoked',
  );
  return usable?.version ?? null;
}

export function versionOf(wire: WireModuleDetail): ModuleVersion {
  const { version, owner, description, source, tag, archive = null } = wire;
  const deprecation = deprecationOf(wire.deprecation);
  return {
    version,
    revision: revisionOf(archive?.sha256 ?? '', deprecation),
    owner,
    description,
    source,
    tag,
    published_time: wire.published_at,
    deprecation,
    archive: archive && { size: archive.size, sha256: archive.sha256 },
    content: contentOf(wire),
  };
}

/** A version of which the registry reports only the number. */
export function bareVersionOf({ version, published_time, deprecation }: VersionChoice): ModuleVersion {
  return {
    version,
    revision: revisionOf('', deprecation),
    owner: '',
    description: '',
    source: '',
    tag: '',
    published_time,
    deprecation,
    archive: null,
    content: noContent(''),
  };
}

/** Empty content with the reason. */
export function noContent(reason: string): ModuleContent {
  return { from: 'nobody', reason, root: null, submodules: [], examples: [], problems: [] };
}

function contentOf({ root, submodules, examples, reading }: WireModuleDetail): ModuleContent {
  if (root === null || root === undefined) return noContent('');
  return { from: 'registry', reason: '', root, submodules, examples, problems: reading?.problems ?? [] };
}

function revisionOf(sha256: string, deprecation: Deprecation | null): string {
  return hashOf({ sha256, deprecation });
}

export function deprecationOf(wire: WireDeprecation | null | undefined): Deprecation | null {
  if (wire === null || wire === undefined) return null;
  return {
    state: wire.state ?? 'deprecated',
    message: wire.message || wire.reason,
    replacement: wire.replacement,
    link: wire.link,
    time: wire.date,
  };
}

/**
 * A token without its value. Some registries report the creation time as the last use until the first use.
 * @param isUsed whether the token is known to have been used
 */
export function toldToken(
  { id, description, created_at, last_used_at }: Omit<WireIssuedToken, 'token'>,
  isUsed = false,
) {
  return {
    id,
    description,
    created_time: created_at,
    last_used_time: !isUsed && last_used_at === created_at ? '' : last_used_at,
  };
}

/** What a role allows; null if the registry reports none. */
export function mayOf(own: WireOwnToken | null): ModulesMay {
  return own && { publish: own.role !== 'read-only', manage: own.role === 'administrator' };
}
