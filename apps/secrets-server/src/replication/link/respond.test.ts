import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { expect, onTestFinished, test } from 'vitest';
import { openPrimary } from '#testing/linked-clusters.ts';
import { serverName } from './certificates.ts';
import { FollowRequestSchema } from './replication.gen.ts';

/** Connects to the port as a secondary that makes raw HTTP/2 calls. */
async function connect(primary: Awaited<ReturnType<typeof openPrimary>>) {
  const { authority, client } = await primary.activate('slow');
  const session = connectHttp2(`https://127.0.0.1:${primary.serving.port}`, {
    ca: authority,
    ...client,
    servername: serverName(primary.clusterId),
  });
  onTestFinished(() => session.destroy());
  const call = (method: 'Ping' | 'Follow' | 'Forward'): ClientHttp2Stream => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/gatehouse.replication.v1.Replication/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.on('error', () => undefined);
    return stream;
  };
  return { session, call };
}

test('a call with an incomplete message, or with more than one, is closed', async () => {
  await using primary = await openPrimary({ drainMs: 50 });
  const { session, call } = await connect(primary);
  // No prefix, a part of it, an incomplete message, and the beginning of a second one.
  for (const begun of [[], [0, 0, 0, 0], [0, 0, 0, 0, 9, 1], [0, 0, 0, 0, 0, 0]]) {
    const stream = call('Ping');
    for (const byte of begun) stream.write(Buffer.from([byte]));
    stream.resume();
    await once(stream, 'close');
    expect(session.destroyed).toBe(false);
  }
});

test('a large message of any call but Forward is refused, because the stream of Follow would never free its turn', async () => {
  await using primary = await openPrimary();
  const { session, call } = await connect(primary);
  const stream = call('Follow');
  stream.write(Buffer.from([0, 0, 1, 0, 1]));
  stream.resume();
  await once(stream, 'close');
  expect(session.destroyed).toBe(false);
});

test('a revoked caller is refused before its message is read', async () => {
  await using primary = await openPrimary();
  const { call } = await connect(primary);
  primary.records.delete('slow');
  const stream = call('Forward');
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  expect(headers['grpc-status']).toBe(String(Code.PermissionDenied));
});

test('a message with more than 10,000 fields or with groups is refused before it is parsed', async () => {
  await using primary = await openPrimary();
  const { call } = await connect(primary);
  const unknown = Buffer.from([0x78, 0]);
  const statusOf = async (message: Buffer): Promise<unknown> => {
    const stream = call('Forward');
    const length = Buffer.alloc(5);
    length.writeUInt32BE(message.length, 1);
    let status: unknown;
    stream.on('response', (headers) => (status = headers['grpc-status']));
    stream.on('trailers', (headers) => (status = headers['grpc-status']));
    stream.end(Buffer.concat([length, message]));
    stream.resume();
    await once(stream, 'close');
    return status;
  };
  // The message lacks a cluster ID.
  const denied = String(Code.PermissionDenied);
  expect(await statusOf(Buffer.alloc(20_000, unknown))).toBe(denied);
  expect(await statusOf(Buffer.alloc(20_002, unknown))).toBeUndefined();
  expect(await statusOf(Buffer.from([0x7b, 0x7c]))).toBeUndefined();
});

test('a secondary that stops reading is disconnected, and its snapshot closed', async () => {
  await using primary = await openPrimary({ drainMs: 300, heartbeatMs: 60_000 });
  const mount = await primary.mountAt('secret/');
  const large = JSON.stringify('x'.repeat(300_000));
  for (const path of ['a', 'b', 'c', 'd']) await primary.put(mount, path, large);
  const { call } = await connect(primary);
  // The stream is never read.
  const stream = call('Follow');
  const message = toBinary(FollowRequestSchema, create(FollowRequestSchema, { clusterId: randomUUID() }));
  const length = Buffer.alloc(5);
  length.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([length, message]));
  await expect.poll(() => primary.serving.secondaries(), { interval: 2 }).toHaveLength(1);
  await expect.poll(() => primary.serving.secondaries(), { interval: 2 }).toEqual([]);
});
