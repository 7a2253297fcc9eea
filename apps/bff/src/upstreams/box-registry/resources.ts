/** Maps boxes, versions and providers from the registry's format to the console's. */
import { architectureOf } from '@gatehouse/api-types/console/box-values';
import {
  checksumTypes,
  type Box,
  type BoxSummary,
  type BoxVersion,
  type ChecksumType,
  type OwnerMay,
  type Provider,
} from '@gatehouse/api-types/console/boxes';
import type {
  WireBox,
  WireBoxSummary,
  WireProvider,
  WireVersion,
} from '@gatehouse/api-types/services/box-registry';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { hashOf } from '#ground/fields-revision.ts';
import type { ApiVersion, BoxesCaller, BoxRegistry } from './client.ts';

/** The servers that `vagrant` uses by default. */
const knownServers: ReadonlySet<string> = new Set(['https://vagrantcloud.com', 'https://app.vagrantup.com']);

/** The server to set in clients; null if it is their default, or unknown. */
export function serverUrl({ clientUrl }: Pick<BoxRegistry, 'clientUrl'>): string | null {
  const url = trimEndSlashes(clientUrl?.href ?? '');
  return url === '' || knownServers.has(url) ? null : url;
}

export function providerOf(wire: WireProvider): Provider {
  const checksum_type = checksumTypeOf(wire.checksum_type);
  const checksum = checksum_type === null ? '' : (wire.checksum ?? '').toLowerCase();
  const fields = {
    name: wire.name,
    architecture: wire.architecture,
    is_default: wire.default_architecture,
    url: wire.original_url ?? '',
    checksum,
    checksum_type: checksum === '' ? null : checksum_type,
  };
  const isElsewhere = fields.url !== '';
  return {
    ...fields,
    revision: hashOf(fields),
    hosted: !isElsewhere,
    // A registry that reports sizes reports null before the upload.
    available: isElsewhere || (wire.size === undefined ? null : wire.size !== null),
    size: wire.size ?? null,
    download_url: wire.download_url ?? '',
    downloads: wire.downloads,
    created_time: wire.created_at,
    updated_time: wire.updated_at,
  };
}

export function versionOf(wire: WireVersion): BoxVersion {
  const { version, status, description_markdown: description } = wire;
  const providers = wire.providers.map(providerOf).sort(compareProviders);
  const revision = hashOf({ version, status, description });
  return {
    version,
    status,
    description,
    revision,
    whole_revision: hashOf([revision, ...providers.map((one) => [one.revision, one.available])]),
    created_time: wire.created_at,
    updated_time: wire.updated_at,
    providers,
  };
}

export function summaryOf(wire: WireBoxSummary): BoxSummary {
  const { username, name, short_description, downloads, current_version: current, incomplete } = wire;
  return {
    tag: `${username}/${name}`,
    username,
    name,
    short_description,
    is_private: wire.private,
    downloads,
    created_time: wire.created_at,
    updated_time: wire.updated_at,
    current_version:
      current === null
        ? null
        : {
            version: current.version,
            created_time: current.created_at,
            providers: current.providers
              .map(providerOf)
              .map(({ name: provider, architecture, available }) => ({
                name: provider,
                architecture,
                available,
              })),
            has_all_providers: !incomplete.includes('providers'),
          },
  };
}

/** @param versions newest first */
export function boxOf(
  wire: Omit<WireBox, 'versions'>,
  versions: Box['versions'],
  { registry }: Pick<BoxesCaller, 'registry'>,
  spoken: ApiVersion,
): Box {
  const { username, name, short_description, description_markdown: description, downloads } = wire;
  const fields = { name, short_description, description, is_private: wire.private };
  const revision = hashOf(fields);
  return {
    ...fields,
    username,
    tag: `${username}/${name}`,
    revision,
    whole_revision: hashOf([revision, ...versions.map((one) => one.whole_revision)]),
    downloads,
    created_time: wire.created_at,
    updated_time: wire.updated_at,
    current_version: wire.current_version?.version ?? null,
    versions,
    // Set by the operations that need it: see `mayIn`.
    may: null,
    knows_architectures: spoken === 'v2',
    server_url: serverUrl(registry),
  };
}

export function mayOf(actions: readonly string[]): NonNullable<OwnerMay> {
  return { publish: actions.includes('publish'), manage: actions.includes('manage') };
}

/** Sorts by name; within a name the default comes first, then by architecture. */
function compareProviders(a: Provider, b: Provider): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.is_default !== b.is_default) return a.is_default === true ? -1 : 1;
  return architectureOf(a) < architectureOf(b) ? -1 : 1;
}

function checksumTypeOf(text: string | null): ChecksumType | null {
  return checksumTypes.find((type) => type === text?.toLowerCase()) ?? null;
}
