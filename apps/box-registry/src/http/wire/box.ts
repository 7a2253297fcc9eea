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
function wireBoxSummary(api: Api, box: Box, current: Version | undefined, isOwn: boolean) {
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
 * The JSON text of a box with its descriptions, in parts.
 * @param current its newest released version
 * @param versions the versions that the reader may see, newest number first
 */
export function boxText(
  api: Api,
  box: Box,
  current: Version | undefined,
  versions: Generator<Version>,
): Generator<string> {
  const texts = versions.map((version) => [JSON.stringify(wireListedVersion(api, box, version, true))]);
  return listText(wireBoxSummary(api, box, current, true), 'versions', texts);
}

/** A member of a listed box; `providers` are those of its current version. */
type IncompleteMember = 'providers' | 'description_markdown' | 'versions';

/** Most bytes of what the boxes of a list have besides their names, short descriptions, dates and numbers. */
const listBytes = 2 * 1024 * 1024;

/**
 * The JSON text of a box in a list. Each box has an equal share of 2 MiB, so that the largest ones of others don't make
 * a list too long: the providers of its current version, its description, and its newest versions are included as far
 * as they fit. `incomplete`, the registry's addition, names those of the three that are not whole.
 * @param versions like `boxText`; undefined for a list without versions
 * @param boxes the most boxes of the list; at least 1
 */
export function* listedText(
  api: Api,
  box: Box,
  current: Version | undefined,
  versions: Generator<Version> | undefined,
  boxes: number,
): Generator<string> {
  let left = listBytes / boxes;
  const incomplete: IncompleteMember[] = [];
  /** The first values that fit in what is left of the share, an empty part after each. */
  function* fitting<Value>(member: IncompleteMember, values: Iterable<Value>): Generator<string, Value[]> {
    const whole: Value[] = [];
    for (const value of values) {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      if (bytes > left) {
        incomplete.push(member);
        break;
      }
      left -= bytes;
      whole.push(value);
      yield '';
    }
    return whole;
  }
  const { current_version: version, ...summary } = wireBoxSummary(api, box, current, false);
  const providers = yield* fitting('providers', version?.providers ?? []);
  const [description = null] = yield* fitting('description_markdown', [summary.description_markdown]);
  const listed = versions?.map((one) => wireListedVersion(api, box, one, false));
  yield JSON.stringify({
    ...summary,
    description_markdown: description,
    current_version: version && { ...version, providers },
    ...(listed && { versions: yield* fitting('versions', listed) }),
    ...(incomplete.length > 0 && { incomplete }),
  });
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
