import { listText } from '@gatehouse/service-kit/parts';
import { checksumOf, type Box, type Provider, type Version } from '../../domain/box.ts';
import { renderMarkdown } from '../../domain/markdown.ts';
import { providersIn } from './api.ts';
import type { Api } from './api.ts';
import { wireTime } from './time.ts';
import { downloadUrl, versionApiUrl } from './urls.ts';

/**
 * The wire form of a box in lists: no versions, no HTML, and no descriptions of versions. Rendering takes
 * milliseconds per description, and the descriptions would be most of the answer.
 * @param current its newest released version
 * @param isOwn whether the answer is about this box only, and includes the descriptions
 */
export function wireBoxSummary(api: Api, box: Box, current: Version | undefined, isOwn: boolean = false) {
  return {
    created_at: wireTime(box.createdTime),
    updated_at: wireTime(box.updatedTime),
    tag: `${box.username}/${box.name}`,
    name: box.name,
    short_description: box.shortDescription,
    description_html: isOwn ? renderMarkdown(box.description) : null,
    description_markdown: box.description,
    username: box.username,
    private: box.isPrivate,
    downloads: box.downloads,
    current_version: current === undefined ? null : wireListedVersion(api, box, current, isOwn),
  };
}

/**
 * The JSON text of a box, in parts.
 * @param current like `wireBoxSummary`
 * @param versions the versions that the reader may see, newest number first
 * @param isOwn like `wireBoxSummary`
 */
export function boxText(
  api: Api,
  box: Box,
  current: Version | undefined,
  versions: Generator<Version>,
  isOwn: boolean,
): Generator<string> {
  const texts = versions.map((version) => [JSON.stringify(wireListedVersion(api, box, version, isOwn))]);
  return listText(wireBoxSummary(api, box, current, isOwn), 'versions', texts);
}

export function wireVersion(api: Api, box: Box, version: Version) {
  return {
    ...wireListedVersion(api, box, version, true),
    description_html: renderMarkdown(version.description),
  };
}

function wireListedVersion(api: Api, box: Box, version: Version, hasText: boolean) {
  const url = versionApiUrl(api, box, version);
  return {
    version: version.version,
    status: version.status,
    description_html: null,
    description_markdown: hasText ? version.description : null,
    created_at: wireTime(version.createdTime),
    updated_at: wireTime(version.updatedTime),
    number: version.version,
    release_url: `${url}/release`,
    revoke_url: `${url}/revoke`,
    providers: providersIn(api, version).map((provider) => wireProvider(api, box, version, provider)),
  };
}

/** `size` (bytes) and `downloads` are the registry's additions; Vagrant's clients ignore them. */
export function wireProvider(api: Api, box: Box, version: Version, provider: Provider) {
  const checksum = checksumOf(provider);
  const available = provider.url !== null || provider.image !== null;
  return {
    name: provider.name,
    architecture: provider.architecture,
    default_architecture: provider.isDefault,
    hosted: provider.url === null,
    hosted_token: provider.hostedToken,
    original_url: provider.url,
    created_at: wireTime(provider.createdTime),
    updated_at: wireTime(provider.updatedTime),
    download_url: available ? downloadUrl(api.publicUrl, box, version, provider) : null,
    checksum: checksum?.value ?? null,
    checksum_type: checksum?.type ?? null,
    size: provider.image?.size ?? null,
    downloads: provider.downloads,
  };
}
