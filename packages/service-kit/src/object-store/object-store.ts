import type { Readable } from 'node:stream';

/** Kinds of checksums that are computed while an object comes in. */
export type DigestType = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** An object that is in the store. */
export interface StoredObject {
  /** Its name in the store. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** In lower-case hexadecimal. */
  readonly digests: Readonly<Partial<Record<DigestType, string>>>;
}

/** Bytes `start` to `end` of an object, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object that is not in the store. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

/** Room that is set aside. */
export interface Room {
  /** Sets more aside where what is left is less than these bytes: of a body that doesn't tell its length. @throws StoreUnavailable `full` */
  extend(bytes: number): Promise<void>;
  /** So many bytes have been written, and take their room on the disk itself. */
  written(bytes: number): void;
  release(): void;
}

/** Where objects are kept: images of boxes, archives of modules. Keys are made by the store; nothing that a client sends is part of one. */
export interface ObjectStore {
  /** Whether it answers, within a second. What it answered lasts for some seconds: asking often costs nothing. */
  reachable(): Promise<boolean>;
  /**
   * Makes sure that an object of `bytes` would fit, where the store can know, and sets the room aside until it is released.
   * @throws StoreUnavailable `full`
   */
  reserve(bytes: number): Promise<Room>;
  /**
   * Keeps what `body` yields, and computes a checksum on the way. It settles when the object is durable; when anything
   * fails, nothing of it is left.
   * @param room that was set aside for it
   * @throws StoreUnavailable `full`, `failed`; what reading the body throws
   */
  receive(body: AsyncIterable<Uint8Array>, digest: DigestType, room?: Room): Promise<StoredObject>;
  /** @throws ObjectMissing; StoreUnavailable */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Removes an object; one that is not there is fine. @throws StoreUnavailable */
  remove(key: string): Promise<void>;
  /**
   * Removes whatever interrupted uploads left, and objects that nothing refers to. Only while nothing is being received.
   * @returns how many were removed
   */
  sweep(isReferred: (key: string) => boolean): Promise<number>;
}
