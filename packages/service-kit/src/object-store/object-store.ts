import type { Readable } from 'node:stream';

/** Checksums that can be computed while an object is received. */
export type DigestType = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** A stored object. */
export interface StoredObject {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** Lowercase hexadecimal. */
  readonly digests: Readonly<Partial<Record<DigestType, string>>>;
}

/** Bytes `start` to `end` of an object, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The object is not in the store. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

/** Reserved space. */
export interface Room {
  /** Reserves more if fewer than `bytes` are left, for a body that is longer. @throws StoreUnavailable `full` */
  extend(bytes: number): Promise<void>;
  /** Releases `bytes` that have been written and so use disk space themselves. */
  written(bytes: number): void;
  release(): void;
}

/** Stores objects: images of boxes, archives of modules. The store generates the keys without any client input. */
export interface ObjectStore {
  /** How many objects it can receive at once without using too much memory. */
  readonly atOnce: number;
  /** Whether the store answers within a second. The result may be up to two seconds old, so calls are cheap. */
  reachable(): Promise<boolean>;
  /**
   * Checks that an object of `bytes` fits, if the store can know, and reserves room for it as it arrives, until released.
   * @throws StoreUnavailable `full`
   */
  reserve(bytes: number): Promise<Room>;
  /**
   * Stores a body and computes its checksum. Resolves when the object is durable; a failure leaves nothing behind.
   * @param room reserved for the object
   * @param key a new UUID; generated if missing
   * @throws StoreUnavailable `full`, `incomplete`, `failed`; errors of reading the body
   */
  receive(
    body: AsyncIterable<Uint8Array>,
    digest: DigestType,
    room?: Room,
    key?: string,
  ): Promise<StoredObject>;
  /** @param signal ends waiting for the store's answer @throws ObjectMissing; StoreUnavailable */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable>;
  /** Deletes an object if it exists. @throws StoreUnavailable */
  remove(key: string): Promise<void>;
  /**
   * Deletes these objects, and what interrupted uploads of them left. Only call while nothing is being received.
   * @returns the number of deletions
   */
  sweep(keys: ReadonlySet<string>): Promise<number>;
}
