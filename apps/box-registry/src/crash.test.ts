import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { clientOf } from '@gatehouse/service-kit/testing/client';
import type { Client } from '@gatehouse/service-kit/testing/client';
import { startKillable, type Killable } from '@gatehouse/service-kit/testing/killable';
import { afterEach, expect, test } from 'vitest';
import { createProvider, digest, send, uploadPath } from './testing/publishing.ts';
import { testPassword } from './testing/server.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const rounds = deep ? 40 : 1;
/** The moments of an upload to kill at: `rounds` during it, and one after its end. */
const moments = rounds + 1;
const image = Buffer.alloc(8 * 2 ** 20, 'image of a machine');
const chunk = 256 * 1024;

const script = new URL('./testing/server-process.ts', import.meta.url);
let running: Killable | undefined;
afterEach(() => running?.kill());

async function start(dataDir: string): Promise<Killable> {
  running = await startKillable(script, dataDir);
  return running;
}

async function signIn(url: string): Promise<Client> {
  const answer = await clientOf(url, undefined).post('/api/v1/authenticate', {
    user: { login: 'admin', password: testPassword },
  });
  return clientOf(url, String(answer.body['token']));
}

const keys = (folder: string, part: string): string[] => readdirSync(join(folder, 'box-images', part));

test('keeps an image whole or not at all when the registry is killed during an upload', async () => {
  using folder = temporaryFolder();
  let killable = await start(folder.path);
  let client = await signIn(killable.url);
  const made = await createProvider(client, 'box');
  const provider = { ...made };
  for (let round = 0; round < moments; round++) {
    const { port, pathname, search } = new URL(await uploadPath(client, provider));
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${image.length}\r\n\r\n`);
    // The last round sends the whole image: its answer decides whether the image must exist.
    const until =
      round === moments - 1 ? image.length : Math.floor((image.length * (round + 1)) / (moments + 1));
    for (let at = 0; at < until; at += chunk)
      await new Promise((resolve) => socket.write(image.subarray(at, Math.min(at + chunk, until)), resolve));
    await killable.kill();
    socket.destroy();
    killable = await start(folder.path);
    client = clientOf(killable.url, client.token);
    expect(keys(folder.path, 'incoming')).toEqual([]);
    const { body } = await client.get(provider.provider);
    const there = body['download_url'] !== null;
    expect(keys(folder.path, 'images')).toHaveLength(there ? 1 : 0);
    if (there) expect(body['checksum']).toBe(digest('sha256', image));
  }
  expect((await send(await uploadPath(client, provider), image)).status).toBe(200);
  await killable.kill();
  killable = await start(folder.path);
  const [key = ''] = keys(folder.path, 'images');
  expect(readFileSync(join(folder.path, 'box-images', 'images', key)).equals(image)).toBe(true);
});

test('loses no acknowledged write when the registry is killed under load', async () => {
  using folder = temporaryFolder();
  let killable = await start(folder.path);
  let client = await signIn(killable.url);
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const enough = Promise.withResolvers<void>();
    let told = 0;
    const write = async (writer: number): Promise<void> => {
      const name = `box-${round}-${writer}`;
      for (let at = 0; ; at++) {
        try {
          const answer =
            at === 0
              ? await client.post('/api/v1/boxes', { name })
              : await client.post(`/api/v1/box/admin/${name}/versions`, { version: `1.${at}` });
          if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
        } catch (error) {
          if (error instanceof TypeError) return;
          throw error;
        }
        acknowledged.set(name, at);
        if (++told === 60) enough.resolve();
      }
    };
    const writers = Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)));
    await Promise.race([enough.promise, writers]);
    await killable.kill();
    await writers;
    killable = await start(folder.path);
    client = clientOf(killable.url, client.token);
    for (const [name, versions] of acknowledged) {
      const { body } = await client.get(`/api/v1/box/admin/${name}`);
      const stored = (body['versions'] as unknown[]).length;
      // One more version may exist, whose answer was lost.
      expect([versions, versions + 1]).toContain(stored);
      acknowledged.set(name, stored);
    }
  }
});
