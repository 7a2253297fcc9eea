import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { ListMultipartUploadsCommandInput, ListMultipartUploadsCommandOutput } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { boundedAnswer } from '../sdk-answer.ts';
import { StoreUnavailable } from '../store-error.ts';
import { ObjectMissing } from './object-store.ts';
import type { DigestType, ObjectStore } from './object-store.ts';

export interface S3Options {
  readonly bucket: string;
  /** Prefix of all object names, such as `boxes/`; may be empty. */
  readonly prefix: string;
  readonly region: string;
  /** Address of a store other than AWS, which is then addressed with the bucket in the path. */
  readonly endpoint?: string;
  /** Those of the environment or the machine's role unless given. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /**
   * How long the store may take to answer each of at most three attempts of a request, in milliseconds; 120,000 unless
   * given. Includes sending a part, and receiving the whole answer except an object's bytes.
   */
  readonly answerMs?: number;
  /** How long a sweep may take, in milliseconds; 30,000 unless given. The service only starts after it. */
  readonly sweepMs?: number;
}

/** Bytes of a part. A store accepts 10,000 parts, so objects can have up to 78 GiB. */
const partBytes = 8 * 1024 * 1024;
/** Timeout of a reachability check, and how long its result is cached, in milliseconds. */
const answersWithinMs = 1_000;
const freshForMs = 2_000;
/**
 * Most bytes of an answer other than an object or a list, errors included. The SDK parses an answer in one go, during
 * which nothing else happens.
 */
const maxAnswerBytes = 64 * 1024;
/** Most uploads on a page of a list: a name has at most 1,024 characters, each of at most 6 bytes when escaped. */
const uploadsPerPage = 100;
const maxListBytes = 1024 * 1024;
/**
 * How long the store may take to delete an object, in milliseconds. A request that has finished its work waits for
 * this.
 */
const removedWithinMs = 5_000;
/** Parts uploaded at once. */
const queueSize = 2;
/** Every object being read holds a connection for as long as its reader takes. */
const agent = { keepAlive: true, maxSockets: Infinity };
/** How long the store may take to accept a connection, in milliseconds. */
const connectMs = 5_000;

/**
 * Stores objects in a bucket and uploads them in parts as they arrive.
 * @throws StoreUnavailable when the bucket can't be reached
 */
export async function s3Objects(options: S3Options): Promise<ObjectStore> {
  const {
    bucket: Bucket,
    prefix,
    region,
    endpoint,
    credentials,
    answerMs = 120_000,
    sweepMs = 30_000,
  } = options;
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    // With the usual limit of 50 connections, 50 slow readers would block everyone else.
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
    },
  });
  client.middlewareStack.add(
    boundedAnswer({
      bytes: (command) => (command === ListMultipartUploadsCommand.name ? maxListBytes : maxAnswerBytes),
      ms: answerMs,
      isStreamed: (command) => command === GetObjectCommand.name,
    }),
    { step: 'deserialize', priority: 'low', name: 'boundedAnswer' },
  );
  await available(client.send(new HeadBucketCommand({ Bucket })));
  const nameOf = (key: string): string => prefix + key;
  const remove = async (key: string): Promise<void> => {
    const abortSignal = AbortSignal.timeout(removedWithinMs);
    await available(client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) }), { abortSignal }));
  };

  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  return {
    // Each keeps two parts in memory, and a third that arrives.
    atOnce: 16,

    reachable() {
      if (asked === undefined || performance.now() - asked.at > freshForMs) {
        const abortSignal = AbortSignal.timeout(answersWithinMs);
        const answer = client.send(new HeadBucketCommand({ Bucket }), { abortSignal }).then(
          () => true,
          () => false,
        );
        asked = { at: performance.now(), answer };
      }
      return asked.answer;
    },

    // A bucket has no known capacity.
    reserve: () =>
      Promise.resolve({
        extend: () => Promise.resolve(),
        written: () => undefined,
        release: () => undefined,
      }),

    async receive(body, type, _room, key = randomUUID()) {
      const hash = createHash(type);
      let size = 0;
      let broken: { readonly reason: unknown } | undefined;
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        let isTaken = false;
        try {
          for await (const chunk of body) {
            hash.update(chunk);
            size += chunk.length;
            isTaken = true;
            yield chunk;
            isTaken = false;
          }
        } catch (reason) {
          // The uploader's failures are thrown here too, while it consumes a yielded chunk.
          if (!isTaken) broken = { reason };
          throw reason;
        }
      };
      const upload = new Upload({
        client,
        params: {
          Bucket,
          Key: nameOf(key),
          Body: Readable.from(counted(), { objectMode: false }),
          ContentType: 'application/octet-stream',
        },
        partSize: partBytes,
        queueSize,
      });
      try {
        await upload.done();
        const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key: nameOf(key) }));
        if (ContentLength !== size) throw new StoreUnavailable('incomplete', undefined);
      } catch (error) {
        await upload.abort().catch(() => undefined);
        // The object may be complete even though no answer arrived.
        await remove(key).catch(() => undefined);
        if (error instanceof StoreUnavailable) throw error;
        // A failure of the client's body is not a failure of the store.
        throw broken === undefined ? asUnavailable(error) : broken.reason;
      }
      return { key, size, digests: digestsOf(type, hash.digest('hex')) };
    },

    async read(key, range, signal) {
      try {
        const { Body, ContentRange } = await client.send(
          new GetObjectCommand({
            Bucket,
            Key: nameOf(key),
            ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
          }),
          signal && { abortSignal: signal },
        );
        if (!(Body instanceof Readable)) throw new ObjectMissing(key);
        if (range === undefined || ContentRange?.startsWith(`bytes ${range.start}-${range.end}/`) === true)
          return Body;
        Body.destroy();
        throw new StoreUnavailable(
          'failed',
          new Error('The store sent another range than the one that was asked for'),
        );
      } catch (error) {
        if (error instanceof NoSuchKey) throw new ObjectMissing(key);
        throw error instanceof ObjectMissing || error instanceof StoreUnavailable
          ? error
          : asUnavailable(error);
      }
    },

    remove,

    async sweep(keys) {
      let count = 0;
      const abortSignal = AbortSignal.timeout(sweepMs);
      try {
        for (let marker: Marker | undefined = {}; marker !== undefined;) {
          const page: ListMultipartUploadsCommandOutput = await client.send(
            new ListMultipartUploadsCommand({
              Bucket,
              Prefix: prefix,
              MaxUploads: uploadsPerPage,
              ...marker,
            }),
            { abortSignal },
          );
          for (const { Key, UploadId } of page.Uploads ?? []) {
            if (Key?.startsWith(prefix) !== true || !keys.has(Key.slice(prefix.length))) continue;
            await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal });
            count++;
          }
          const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
          marker = IsTruncated === true ? { KeyMarker, UploadIdMarker } : undefined;
        }
        for (const key of keys) {
          await client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) }), { abortSignal });
          count++;
        }
      } catch (error) {
        throw asUnavailable(error);
      }
      return count;
    },
  };
}

/** Where the next page of a list begins. */
type Marker = Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'>;

function digestsOf(type: DigestType, value: string) {
  return { [type]: value };
}

async function available<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Reports a lack of space as `full`, and everything else as `failed`. */
function asUnavailable(error: unknown): StoreUnavailable {
  const full =
    error instanceof S3ServiceException &&
    (error.$metadata.httpStatusCode === 507 || /QuotaExceeded|StorageFull/.test(error.name));
  return new StoreUnavailable(full ? 'full' : 'failed', error);
}
