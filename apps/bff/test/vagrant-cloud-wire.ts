/** The records of a registry like Vagrant Cloud, as its API answers them, with more fields than the console needs. */

export type Json = Readonly<Record<string, unknown>>;

export interface CloudProvider {
  readonly name: string;
  original_url: string | null;
  checksum: string | null;
  checksum_type: string | null;
  image: Buffer | undefined;
}
export interface CloudVersion {
  readonly version: string;
  description: string;
  status: string;
  readonly providers: Map<string, CloudProvider>;
}
export interface CloudBox {
  readonly username: string;
  readonly name: string;
  short_description: string;
  description: string;
  isPrivate: boolean;
  readonly versions: Map<string, CloudVersion>;
}

export const cloudTime = '2020-01-02T03:04:05.678Z';

/** @param url the registry's address */
export function wireOf(url: () => string) {
  const wireProvider = (box: CloudBox, version: CloudVersion, provider: CloudProvider): Json => ({
    name: provider.name,
    hosted: provider.original_url === null,
    hosted_token: null,
    original_url: provider.original_url,
    created_at: cloudTime,
    updated_at: cloudTime,
    architecture: 'amd64',
    default_architecture: true,
    checksum: provider.checksum,
    checksum_type: provider.checksum_type,
    download_url: `${url()}/${box.username}/boxes/${box.name}/versions/${version.version}/providers/${provider.name}/amd64/vagrant.box`,
  });
  const wireVersion = (box: CloudBox, version: CloudVersion): Json => ({
    version: version.version,
    status: version.status,
    description_html: `<p>${version.description}</p>`,
    description_markdown: version.description,
    created_at: cloudTime,
    updated_at: cloudTime,
    number: version.version,
    release_url: `${url()}/api/v1/box/${box.username}/${box.name}/version/${version.version}/release`,
    revoke_url: `${url()}/api/v1/box/${box.username}/${box.name}/version/${version.version}/revoke`,
    providers: [...version.providers.values()].map((one) => wireProvider(box, version, one)),
  });
  const wireBox = (box: CloudBox): Json => {
    const current = [...box.versions.values()].findLast(({ status }) => status === 'active');
    return {
      created_at: cloudTime,
      updated_at: cloudTime,
      tag: `${box.username}/${box.name}`,
      name: box.name,
      username: box.username,
      short_description: box.short_description,
      description_html: null,
      description_markdown: box.description,
      private: box.isPrivate,
      downloads: 7,
      claimed: true,
      current_version: current === undefined ? null : wireVersion(box, current),
      versions: [...box.versions.values()].map((one) => wireVersion(box, one)),
    };
  };
  return { wireBox, wireVersion, wireProvider };
}
