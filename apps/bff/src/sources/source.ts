/**
 * The interface of a registry that a move reads. A user names its origin, so all requests go through `source-fetch.ts`,
 * which refuses addresses that a server must not call.
 */
import type { ChecksumType } from '@gatehouse/api-types/console/boxes';
import type { Deprecation } from '@gatehouse/api-types/console/modules';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { LargeTurn } from './large-turn.ts';

/** An image of a box at the source. */
export interface SourceImage {
  readonly provider: string;
  /** Null if the source doesn't know architectures. */
  readonly architecture: string | null;
  readonly isDefault: boolean | null;
  /** Whether the source hosts the image itself, or its address leads elsewhere. */
  readonly hosted: boolean;
  /** The image's address. */
  readonly url: string;
  /** Empty without a checksum. */
  readonly checksum: string;
  readonly checksumType: ChecksumType | null;
  /** Bytes; null if the source doesn't report the size. */
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
  /** Null if the source doesn't say. */
  readonly isPrivate: boolean | null;
  /** Newest first. */
  readonly versions: readonly SourceVersion[];
  /** What was left out because it couldn't be read, in a sentence each. */
  readonly problems: readonly string[];
}

export interface SourceModuleVersion {
  readonly version: string;
  /** Why it shouldn't be used; null without a deprecation. */
  readonly deprecation: Deprecation | null;
}

export interface SourceModule {
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
  readonly description: string;
  /** Address of its source for display; empty if unknown. */
  readonly sourceUrl: string;
  /** Newest first. */
  readonly versions: readonly SourceModuleVersion[];
  /** What was left out because it couldn't be read, in a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Where the archive of a module version is, with the module at its root. `checksum` is `algorithm:hex`, or empty.
 */
export type ArchivePlace =
  | { readonly kind: 'archive'; readonly url: string; readonly checksum: string }
  /** A getter that the console doesn't copy from, such as `git::`, with the reason. */
  | { readonly kind: 'not-copied'; readonly reason: string };

/** The bytes of an image or archive, from an offset. */
export interface SourceBytes {
  /** The offset at which `body` begins: 0 if the source ignored the range. */
  readonly offset: number;
  /** Of the whole file, in bytes; null if the source doesn't report it. */
  readonly size: number | null;
  /** Proves that the content is the same later: a strong ETag, or Last-Modified; empty if the source gives neither. */
  readonly validator: string;
  /** Read it to its end, or release it by aborting the signal. It may end early without an error if `size` is null. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Asked before each call; throws if none may be made any more. */
  readonly mayCall?: () => Promise<void>;
}

/** For answers in JSON, which may have tens of thousands of entries. */
export interface ListOptions extends ReadOptions {
  readonly slices: Slices;
  /** The turn in which answers of more than 256 KiB are received. They wait for none unless given. */
  readonly largeTurn?: Pick<LargeTurn, 'isTaken' | 'take'>;
}

/**
 * @throws ProblemError in all functions, with words for the user; `rate-limited` has `retryAfterSeconds`; the signal's
 *   reason once it is aborted
 */
export interface BoxSource {
  /** The boxes of an owner, as `owner/name`. */
  boxesOf(owner: string, options: ListOptions): Promise<readonly string[]>;
  box(owner: string, name: string, options: ListOptions): Promise<SourceBox>;
  /** The size in bytes of an image whose box doesn't state it; null if the source doesn't report it at all. */
  sizeOf(image: SourceImage, options: ReadOptions): Promise<number | null>;
  /** @param validator the validator of the first part; other content starts at 0 again */
  image(
    image: SourceImage,
    options: ReadOptions & { readonly offset: number; readonly validator: string },
  ): Promise<SourceBytes>;
}

/** @throws like `BoxSource` */
export interface ModuleSource {
  /** The modules of a namespace, or of `namespace/name`, as `namespace/name/provider`. */
  modulesOf(namespace: string, name: string | undefined, options: ListOptions): Promise<readonly string[]>;
  module(namespace: string, name: string, provider: string, options: ListOptions): Promise<SourceModule>;
  archivePlace(module: SourceModule, version: string, options: ListOptions): Promise<ArchivePlace>;
  archive(
    place: Extract<ArchivePlace, { readonly kind: 'archive' }>,
    options: ReadOptions & { readonly offset: number; readonly validator: string },
  ): Promise<SourceBytes>;
}
