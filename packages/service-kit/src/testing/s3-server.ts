import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Options } from '../object-store/s3.ts';
import { startMoto } from './moto.ts';

/** Moto's S3-compatible endpoint in memory, with a bucket. */
export interface S3Server extends AsyncDisposable {
  readonly options: S3Options;
  /** Names of all objects in the bucket. */
  objects(): Promise<string[]>;
}

/** Starts the server on a free port. @throws Error if it does not start */
export async function startS3(): Promise<S3Server> {
  const moto = await startMoto();
  const options: S3Options = {
    bucket: 'images',
    prefix: 'boxes/',
    region: 'us-east-1',
    endpoint: moto.url,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const client = new S3Client({
    region: options.region,
    endpoint: moto.url,
    forcePathStyle: true,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  await client.send(new CreateBucketCommand({ Bucket: options.bucket }));
  return {
    options,
    async objects() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: options.bucket }));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
      await moto[Symbol.asyncDispose]();
    },
  };
}
