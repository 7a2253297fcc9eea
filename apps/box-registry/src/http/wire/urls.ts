import type { Box, Provider, Version } from '../../domain/box.ts';

type BoxName = Pick<Box, 'username' | 'name'>;

/** Where the API answers about a box. */
export function boxApiUrl(publicUrl: string, { username, name }: BoxName): string {
  return `${publicUrl}/api/v1/box/${encodeURIComponent(username)}/${encodeURIComponent(name)}`;
}

/** Where the image of a provider is fetched. */
export function downloadUrl(
  publicUrl: string,
  box: BoxName,
  version: Pick<Version, 'version'>,
  provider: Pick<Provider, 'name'>,
): string {
  const [username, name, number, file] = [box.username, box.name, version.version, provider.name].map(
    encodeURIComponent,
  );
  return `${publicUrl}/${username}/boxes/${name}/versions/${number}/providers/${file}.box`;
}
