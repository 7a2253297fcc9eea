/**
 * A registry that somebody moves away from: what a move reads of it. Its origin is named by a person, so every request to it
 * goes through `source-fetch.ts`, which refuses addresses that a server must not call.
 */
import type { ChecksumType } from '@gatehouse/api-types/console/boxes';
import type { Deprecation } from '@gatehouse/api-types/console/modules';
import type { Slices } from '@gatehouse/service-kit/slices';

/** An image of a box at the source. */
export interface SourceImage {
  readonly provider: string;
  /** Null where the source does not know architectures. */
  readonly architecture: string | null;
  readonly isDefault: boolean | null;
  /** Whether the source holds it itself; false of one whose address leads elsewhere. */
  readonly hosted: boolean;
  /** Where it is fetched. */
  readonly url: string;
  /** Empty where there is none. */
  readonly checksum: string;
  readonly checksumType: ChecksumType | null;
  /** Bytes; null where the source does not tell. */
  readonly size: number | null;
}

export interface SourceVersion {
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** `unreleased`, `active` or `revoked`. */
  readonly status: string;
  readonly images: readonly SourceImage[];
}

export interface SourceBox {
  readonly owner: string;
  readonly name: string;
  readonly shortDescription: string;
  /** Markdown. */
  readonly description: string;
  /** Null where the source does not tell. */
  readonly isPrivate: boolean | null;
  /** Newest first. */
  readonly versions: readonly SourceVersion[];
  /** What of it could not be read and is left out, a sentence each. */
  readonly problems: readonly string[];
}

export interface SourceModuleVersion {
  readonly version: string;
  /** Why it should not be used; null where the source says nothing of the kind. */
  readonly deprecation: Deprecation | null;
}

export interface SourceModule {
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
  readonly description: string;
  /** Where its source is, for people; empty where nobody says. */
  readonly sourceUrl: string;
  /** Newest first. */
  readonly versions: readonly SourceModuleVersion[];
  /** What of it could not be read and is left out, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Where the archive of a module's version is. `checksum` is `algorithm:hex`, or empty; `folder` is the module's folder in the
 * archive, segments between slashes of which `*` is any one folder, or empty.
 */
export type ArchivePlace =
  | { readonly kind: 'archive'; readonly url: string; readonly checksum: string; readonly folder: string }
  /** A getter that the console does not copy from, such as `git::`, and why. */
  | { readonly kind: 'not-copied'; readonly reason: string };

/** The bytes of an image or an archive, from an offset on. */
export interface SourceBytes {
  /** Where `body` begins: 0 when the source did not obey the range. */
  readonly offset: number;
  /** Of the whole, in bytes; null where the source does not tell. */
  readonly size: number | null;
  /** What tells that it is still the same content: a strong ETag, or Last-Modified; empty where the source gives neither. */
  readonly validator: string;
  /** Read to its end, or let go by aborting the signal. It may end early without an error where `size` is null. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
}

/** For what may list tens of thousands. */
export interface ListOptions extends ReadOptions {
  readonly slices: Slices;
}

/**
 * @throws ProblemError in every function, with words for a person; `rate-limited` has `retryAfterSeconds`; once the signal is
 * aborted its reason
 */
export interface BoxSource {
  /** The boxes of an owner, as `owner/name`. */
  boxesOf(owner: string, options: ReadOptions): Promise<readonly string[]>;
  box(owner: string, name: string, options: ListOptions): Promise<SourceBox>;
  /** Bytes of an image whose source does not tell them with the box; null where it does not tell at all. */
  sizeOf(image: SourceImage, options: ReadOptions): Promise<number | null>;
  /** @param validator what the first part was fetched with: other content begins at 0 again */
  image(
    image: SourceImage,
    options: ReadOptions & { readonly offset: number; readonly validator: string },
  ): Promise<SourceBytes>;
}

/** @throws as `BoxSource` */
export interface ModuleSource {
  /** The modules of a namespace, or of `namespace/name`, as `namespace/name/provider`. */
  modulesOf(namespace: string, name: string | undefined, options: ReadOptions): Promise<readonly string[]>;
  module(namespace: string, name: string, provider: string, options: ListOptions): Promise<SourceModule>;
  archivePlace(module: SourceModule, version: string, options: ReadOptions): Promise<ArchivePlace>;
  archive(
    place: Extract<ArchivePlace, { readonly kind: 'archive' }>,
    options: ReadOptions & { readonly offset: number; readonly validator: string },
  ): Promise<SourceBytes>;
}
