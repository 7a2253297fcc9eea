import type { Box, Provider, Version } from '../../domain/box.ts';
import type { Api } from './api.ts';

type BoxName = Pick<Box, 'username' | 'name'>;
type VersionNumber = Pick<Version, 'version'>;
type ProviderName = Pick<Provider, 'name' | 'architecture' | 'isDefault'>;

/** The API's URL of a version. */
export function versionApiUrl(api: Api, box: BoxName, { version }: VersionNumber): string {
  const [username, name, number] = [box.username, box.name, version].map(encodeURIComponent);
  return `${api.publicUrl}/api/v${api.version}/box/${username}/${name}/version/${number}`;
}

/** The API's URL of a provider. */
export function providerApiUrl(
  api: Api,
  box: BoxName,
  version: VersionNumber,
  provider: ProviderName,
): string {
  const names = api.version === 1 ? [provider.name] : [provider.name, provider.architecture];
  return [versionApiUrl(api, box, version), 'provider', ...names.map(encodeURIComponent)].join('/');
}

/** The download URL of a provider's image. A default's image has the URL that clients know from version 1. */
export function downloadUrl(
  publicUrl: string,
  box: BoxName,
  version: VersionNumber,
  provider: ProviderName,
): string {
  const [username, name, number, file, architecture] = [
    box.username,
    box.name,
    version.version,
    provider.name,
    provider.architecture,
  ].map(encodeURIComponent);
  const image = provider.isDefault ? `${file}.box` : `${file}/${architecture}/vagrant.box`;
  return `${publicUrl}/${username}/boxes/${name}/versions/${number}/providers/${image}`;
}
