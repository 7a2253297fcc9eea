import type { Checksum, Digests } from './checksum.ts';

/** A box. Times here and below are milliseconds since the epoch. */
export interface Box {
  readonly id: string;
  readonly namespaceId: string;
  /** The namespace's name: a person's login name or an organization's. */
  readonly username: string;
  readonly name: string;
  readonly shortDescription: string;
  /** Markdown. */
  readonly description: string;
  readonly isPrivate: boolean;
  /** How often images of its providers were fetched. */
  readonly downloads: number;
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** What may change of a box; members left out stay. */
export interface BoxChange {
  readonly name?: string;
  readonly shortDescription?: string;
  readonly description?: string;
  readonly isPrivate?: boolean;
}

/** What a version is now. Revoked is final. */
export type VersionStatus = 'unreleased' | 'active' | 'revoked';

/** A version of a box, with its providers. */
export interface Version {
  readonly id: string;
  readonly boxId: string;
  /** The version number. */
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  readonly status: VersionStatus;
  readonly createdTime: number;
  readonly updatedTime: number;
  /** Sorted by name and architecture. */
  readonly providers: readonly Provider[];
}

/** An image in the registry's own store. */
export interface StoredImage {
  /** Its name in the store. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly digests: Digests;
}

/** A provider of a version: for which hypervisor and architecture, and where the image is. */
export interface Provider {
  readonly id: string;
  readonly versionId: string;
  readonly name: string;
  /** For which processors the image is: `amd64`, `arm64`, or `unknown`. */
  readonly architecture: string;
  /** Whether it is what clients get of its name that ask for no architecture: exactly one of each name is. */
  readonly isDefault: boolean;
  /** Where the image is, when it is not in the registry. */
  readonly url: string | null;
  readonly checksum: Checksum | null;
  /** A random id of a provider whose image is, or is going to be, in the registry. */
  readonly hostedToken: string | null;
  /** The image in the registry, once it was uploaded. */
  readonly image: StoredImage | null;
  readonly downloads: number;
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** The architecture of a provider that was created without one. */
export const unknownArchitecture = 'unknown';

/**
 * Whether clients can use a provider: its image is elsewhere, or was uploaded and has the checksum that the provider
 * tells them.
 */
export function isUsable(provider: Provider): boolean {
  if (provider.url !== null) return true;
  return provider.image !== null && matches(provider.image.digests, provider.checksum);
}

/** Whether computed checksums agree with the expected one; a kind that was not computed does not. */
export function matches(digests: Digests, expected: Checksum | null): boolean {
  return expected === null || digests[expected.type] === expected.value;
}
