import type { Readable } from 'node:stream';
import type { StoredImage } from '../domain/box.ts';
import type { ChecksumType } from '../domain/checksum.ts';

/** Bytes `start` to `end` of an image, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An image that is not in the store. */
export class ImageMissing extends Error {
  override readonly name = 'ImageMissing';
}

/** Where images are kept. Keys are made by the store; nothing that a client sends is part of one. */
export interface ImageStore {
  /**
   * Makes sure that an image of `bytes` would fit, where the store can know, and sets the room aside until it is released.
   * @returns how to release it
   * @throws StoreUnavailable `full`
   */
  reserve(bytes: number): Promise<() => void>;
  /**
   * Keeps what `body` yields, and computes a checksum on the way. It settles when the image is durable; when anything
   * fails, nothing of it is left.
   * @throws StoreUnavailable `full`, `failed`; what reading the body throws
   */
  receive(body: AsyncIterable<Uint8Array>, checksum: ChecksumType): Promise<StoredImage>;
  /** @throws ImageMissing; StoreUnavailable */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Removes an image; one that is not there is fine. @throws StoreUnavailable */
  remove(key: string): Promise<void>;
  /**
   * Removes whatever interrupted uploads left, and images that nothing refers to. Only while nothing is being received.
   * @returns how many were removed
   */
  sweep(isReferred: (key: string) => boolean): Promise<number>;
}
