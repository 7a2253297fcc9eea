import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Options } from '../object-store/s3.ts';

/** An S3-compatible endpoint in memory, moto's, with a bucket. */
export interface S3Server extends AsyncDisposable {
  readonly options: S3Options;
  /** Names of all objects in the bucket. */
  objects(): Promise<string[]>;
}

/** Whether moto's server is installed (`pip install 'moto[server]'`). */
export const hasMoto = spawnSync('python3', ['-c', 'import moto.server']).status === 0;

const program = `
import sys
from werkzeug.serving import make_server
from moto.server import DomainDispatcherApplication, create_backend_app
server = make_server('127.0.0.1', 0, DomainDispatcherApplication(create_backend_app), threaded=True)
print(server.port, flush=True)
server.serve_forever()
`;

/** Starts it on a free port. @throws Error when it does not start */
export async function startS3(): Promise<S3Server> {
  const child = spawn('python3', ['-c', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = once(child, 'exit');
  let port: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    port = line;
    break;
  }
  if (port === undefined) throw new Error('moto did not start');
  const options: S3Options = {
    bucket: 'images',
    prefix: 'boxes/',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const client = new S3Client({
    region: options.region,
    endpoint: `http://127.0.0.1:${port}`,
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
      child.kill('SIGKILL');
      await exit;
    },
  };
}
