/**
 * An image sent directly to the box registry, which hashes it and syncs it to disk, against what the machine can do: the
 * same bytes written to a file and synced, and hashed alone. The kinds take turns, so that the machine's mood falls on all
 * of them alike; what counts is the ratio of the same round.
 *
 *     npm run bench boxes -- [--mebibytes 1024] [--rounds 3]
 */
import { createHash } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { password } from './console.ts';
import { positive } from './options.ts';
import { freePorts, processes, ready } from './processes.ts';
import { sendImage } from './registry-upload.ts';
import { median } from './report.ts';

const { values } = parseArgs({
  options: { mebibytes: { type: 'string', default: '1024' }, rounds: { type: 'string', default: '3' } },
});
const mebibytes = positive('mebibytes', values.mebibytes);
const rounds = positive('rounds', values.rounds);
const piece = Buffer.alloc(2 ** 20, 'image of a machine');

await using running = await processes();
const port = await freePorts('boxes');
const origin = `http://127.0.0.1:${port.boxes}`;
const registry = running.start(['apps/box-registry/src/main.ts'], {
  GATEHOUSE_DATA: join(running.folder, 'boxes'),
  GATEHOUSE_BOXES_PORT: String(port.boxes),
  GATEHOUSE_ADMIN_PASSWORD: password,
});
await ready(`${origin}/health`);

let token: string | undefined;
const provider = '/api/v1/box/admin/bench/version/1.0/provider/libvirt';
({ token } = await call<{ token: string }>('POST', '/api/v1/authenticate', {
  user: { login: 'admin', password },
}));
await call('POST', '/api/v1/boxes', { name: 'bench' });
await call('POST', '/api/v1/box/admin/bench/versions', { version: '1.0' });
await call('POST', '/api/v1/box/admin/bench/version/1.0/providers', { name: 'libvirt' });

const kinds: Readonly<Record<string, () => Promise<void>>> = {
  'written and synced': writeFile,
  'hashed (SHA-256)': hash,
  'PUT to the registry': upload,
};
const rates: Record<string, number[]> = {};
const cpuBefore = await registry.cpuTime();
for (let round = 0; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(kinds)) {
    const started = performance.now();
    await run();
    (rates[name] ??= []).push(mebibytes / ((performance.now() - started) / 1000));
  }
}
process.stdout.write(`\nAn image of ${mebibytes} MiB, ${rounds} rounds\n`);
const reference = rates['written and synced'] ?? [];
for (const [name, measured] of Object.entries(rates)) {
  const ratio = median(measured.map((rate, round) => rate / (reference[round] ?? rate)));
  process.stdout.write(
    `  ${name.padEnd(22)} ${median(measured).toFixed(0).padStart(6)} MiB/s   ${ratio.toFixed(2)} × written\n`,
  );
}
const cpu = ((await registry.cpuTime()) - cpuBefore) / 1e6 / rounds / (mebibytes / 1024);
process.stdout.write(`  The registry took ${cpu.toFixed(2)} s of CPU for a GiB.\n`);

async function writeFile(): Promise<void> {
  const path = join(running.folder, 'plain');
  const file = await open(path, 'w');
  for (let at = 0; at < mebibytes; at += 1) await file.write(piece);
  await file.sync();
  await file.close();
  await unlink(path);
}

function hash(): Promise<void> {
  const digest = createHash('sha256');
  for (let at = 0; at < mebibytes; at += 1) digest.update(piece);
  digest.digest();
  return Promise.resolve();
}

async function upload(): Promise<void> {
  const { upload_path: path } = await call<{ upload_path: string }>('GET', `${provider}/upload`);
  await sendImage(path, mebibytes);
}

async function call<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body> {
  const answer = await request(origin + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Body;
}
