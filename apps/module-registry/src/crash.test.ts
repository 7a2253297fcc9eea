import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tar } from '@gatehouse/module-archive/testing/archives';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { startKillable } from '@gatehouse/service-kit/testing/killable';
import type { Killable } from '@gatehouse/service-kit/testing/killable';
import { afterEach, expect, test } from 'vitest';
import { clientOf } from './testing/client.ts';
import { signIn } from './testing/server.ts';

const rounds = process.env['GATEHOUSE_DEEP'] === '1' ? 50 : 2;
const script = new URL('./testing/server-process.ts', import.meta.url);
let running: Killable | undefined;
afterEach(() => running?.kill());

async function start(dataDir: string): Promise<Killable> {
  running = await startKillable(script, dataDir);
  return running;
}

/** Begins to publish: sends a part of the archive, or all of it. */
async function beginToPublish(
  url: string,
  token: string,
  path: string,
  bytes: Buffer,
  part: number,
): Promise<() => void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `PUT /v1/modules/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.write(bytes.subarray(0, Math.floor(bytes.length * part)), resolve));
  return () => socket.destroy();
}

test('keeps a version whole or not at all when the registry is killed during publishing', async () => {
  using folder = temporaryFolder();
  const archives = join(folder.path, 'module-archives');
  const bytes = gzipSync(
    tar([
      { name: 'main.tf', body: 'output "id" {\n  value = 1\n}\n' },
      { name: 'blob', body: crypto.getRandomValues(new Uint8Array(60_000)) },
    ]),
  );
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  let killable = await start(folder.path);
  let admin = await signIn(killable.url, 'admin');
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = `a/net/aws/1.${round}.0`;
    expect((await admin.publish(before, bytes)).status).toBe(201);
    acknowledged.push(before);
    // The parts grow; in the later half of the rounds, the whole archive is sent and the moment of the kill varies.
    const part = Math.min(1, (2 * round + 1) / rounds);
    const hangUp = await beginToPublish(
      killable.url,
      admin.token ?? '',
      `a/net/aws/2.${round}.0`,
      bytes,
      part,
    );
    if (part === 1) await fetchSome(killable.url, round);
    await killable.kill();
    hangUp();
    killable = await start(folder.path);
    admin = clientOf(killable.url, admin.token);
    expect(readdirSync(join(archives, 'incoming'))).toEqual([]);
    const { body } = await admin.get('/v1/modules/a/net/aws');
    const versions = body['versions'] as string[];
    expect(versions).toEqual(expect.arrayContaining(acknowledged.map((path) => path.split('/')[3])));
    expect(readdirSync(join(archives, 'archives'))).toHaveLength(versions.length);
    for (const version of versions) {
      const detail = await admin.get(`/v1/modules/a/net/aws/${version}`);
      expect(detail.body).toMatchObject({ archive: { sha256 }, root: { outputs: [{ name: 'id' }] } });
    }
  }
  for (const key of readdirSync(join(archives, 'archives')))
    expect(readFileSync(join(archives, 'archives', key)).equals(bytes)).toBe(true);
});

/** Lets the service handle a few more requests, a different number each round. */
async function fetchSome(url: string, count: number): Promise<void> {
  for (let at = 0; at < count * 3; at++) await fetch(`${url}/health`);
}
