import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientOf } from '@gatehouse/service-kit/testing/client';
import { startKillable, type Killable } from '@gatehouse/service-kit/testing/killable';
import { afterEach, expect, test } from 'vitest';
import { createProvider, uploadPath } from './testing/publishing.ts';
import { testPassword } from './testing/server.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const megabytes = deep ? 8192 : 128;
const piece = Buffer.alloc(2 ** 20);

const script = new URL('./testing/server-process.ts', import.meta.url);
let running: Killable | undefined;
// On disk, unlike the folders of other tests: memory may not have eight gigabytes.
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-large-'));
afterEach(async () => {
  await running?.kill();
  rmSync(folder, { recursive: true });
});

/** The peak memory of a process, in bytes. */
function peakOf(pid: number): number {
  const line = /VmHWM:\s+([0-9]+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1024;
}

test.runIf(process.platform === 'linux')(
  `transfers an image of ${megabytes} MiB both ways in little memory`,
  { timeout: deep ? 1_800_000 : 60_000 },
  async () => {
    running = await startKillable(script, folder);
    const { url, pid } = running;
    const signIn = await clientOf(url, undefined).post('/api/v1/authenticate', {
      user: { login: 'admin', password: testPassword },
    });
    const admin = clientOf(url, String(signIn.body['token']));
    const made = await createProvider(admin, 'large');
    const path = await uploadPath(admin, made);
    const before = peakOf(pid);

    const hash = createHash('sha256');
    const put = request(path, { method: 'PUT', headers: { 'content-length': megabytes * piece.length } });
    const answered = once(put, 'response');
    for (let at = 0; at < megabytes; at++) {
      hash.update(piece);
      if (!put.write(piece)) await once(put, 'drain');
    }
    put.end();
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(200);
    const expected = hash.digest('hex');
    expect((await admin.get(made.provider)).body).toMatchObject({
      checksum: expected,
      size: megabytes * piece.length,
    });

    const fetched = createHash('sha256');
    const get = request(url + made.download, { headers: { authorization: `Bearer ${admin.token}` } });
    get.end();
    const [download] = (await once(get, 'response')) as [IncomingMessage];
    for await (const bytes of download) fetched.update(bytes as Buffer);
    expect(fetched.digest('hex')).toBe(expected);
    expect(peakOf(pid) - before).toBeLessThan(100 * 2 ** 20);
  },
);
