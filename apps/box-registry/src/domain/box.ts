import { defaultChecksumType, type Checksum, type Digests } from './checksum.ts';

/** Times here and below are in milliseconds since the epoch. */
export interface Box {
  readonly id: string;
  readonly namespaceId: string;
  /** The namespace's name: a user's login name or an organization's name. */
  readonly username: string;
  readonly name: string;
  readonly shortDescription: string;
  /** Markdown. */
  readonly description: string;
  readonly isPrivate: boolean;
  /** How often the box's images have been downloaded. */
  readonly downloads: number;
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** The fields of a box to change. Missing fields keep their values. */
export interface BoxChange {
  readonly name?: string;
  readonly shortDescription?: string;
  readonly description?: string;
  readonly isPrivate?: boolean;
}

/** Revoked is final. */
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
  /** The key in the image store. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly digests: Digests;
}

/** A provider of a version: a hypervisor and an architecture, and the location of the image for them. */
export interface Provider {
  readonly id: string;
  readonly versionId: string;
  readonly name: string;
  /** The image's architecture: `amd64`, `arm64`, or `unknown`. */
  readonly architecture: string;
  /** Whether clients that name no architecture get this provider. Exactly one provider of each name is the default. */
  readonly isDefault: boolean;
  /** The URL of an image outside the registry, or null. */
  readonly url: string | null;
  /** The publisher's; null if none was given. */
  readonly checksum: Checksum | null;
  /** A random ID if the image is, or will be, in the registry. */
  readonly hostedToken: string | null;
  /** The image in the registry, once uploaded. */
  readonly image: StoredImage | null;
  readonly downloads: number;
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** The architecture of a provider created without one. */
export const unknownArchitecture = 'unknown';

/**
 * Whether clients can use a provider: its image has an external URL, or is uploaded and matches the provider's
 * checksum.
 */
export function isUsable(provider: Provider): boolean {
  if (provider.url !== null) return true;
  return provider.image !== null && matches(provider.image.digests, provider.checksum);
}

/**
 * The checksum that clients verify: the publisher's, or else that of the image. Only the publisher's must match when the
 * image is replaced.
 */
export function checksumOf({ checksum, image }: Pick<Provider, 'checksum' | 'image'>): Checksum | null {
  const value = image?.digests[defaultChecksumType];
  return checksum ?? (value === undefined ? null : { type: defaultChecksumType, value });
}

/** Whether computed checksums match the expected one. False if that kind wasn't computed. */
export function matches(digests: Digests, expected: Checksum | null): boolean {
  return expected === null || digests[expected.type] === expected.value;
}
