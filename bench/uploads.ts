/**
 * An image sent to the console (by tus, in chunks of 16 MiB, each on the disk before it is confirmed: as long as the page has
 * to stay open), and through it (until it was delivered to the registry too, and verified), against the same image sent
 * directly to the registry. What the page hashes meanwhile is hashed here in a worker of Node, by the page's own WebAssembly. The kinds take turns, so that the machine's
 * mood falls on all of them alike; what counts is the ratio of the same round.
 *
 *     npm run bench uploads -- [--mebibytes 1024] [--rounds 3]
 */
import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { uploadChunkBytes } from '@gatehouse/api-types/console/publish-uploads';
import { request } from 'undici';
import { configurationText, environment, headersOfSession, password, signInToConsole } from './console.ts';
import { positive } from './options.ts';
import { freePorts, processes, ready } from './processes.ts';
import { sendImage } from './registry-upload.ts';
import { median } from './report.ts';

const { values } = parseArgs({
  options: { mebibytes: { type: 'string', default: '1024' }, rounds: { type: 'string', default: '3' } },
});
const mebibyte = 2 ** 20;
const mebibytes = positive('mebibytes', values.mebibytes);
const rounds = positive('rounds', values.rounds);
const size = mebibytes * mebibyte;
const chunk = Buffer.alloc(uploadChunkBytes, 'image of a machine');

await using running = await processes();
const port = await freePorts('boxes', 'console');
const registry = `http://127.0.0.1:${port.boxes}`;
const consoleUrl = `http://127.0.0.1:${port.console}`;
const registryProcess = running.start(['apps/box-registry/src/main.ts'], {
  GATEHOUSE_DATA: join(running.folder, 'boxes'),
  GATEHOUSE_BOXES_PORT: String(port.boxes),
  GATEHOUSE_ADMIN_PASSWORD: password,
});
await ready(`${registry}/health`);
await writeFile(join(running.folder, 'gatehouse.yaml'), configurationText('boxes', registry));
const console = running.start(['apps/bff/src/main.ts'], {
  GATEHOUSE_CONFIG: join(running.folder, 'gatehouse.yaml'),
  GATEHOUSE_DATA: join(running.folder, 'console'),
  GATEHOUSE_PORT: String(port.console),
});
await ready(`${consoleUrl}/healthz`);
const session = headersOfSession(await signInToConsole(consoleUrl, 'boxes'));
const { token } = await call<{ token: string }>(registry, 'POST', '/api/v1/authenticate', {
  user: { login: 'admin', password },
});
const registryHeaders = { authorization: `Bearer ${token}` };
const file = join(running.folder, 'image.box');
await writeFile(file, chunk);
await truncate(file, size);
const worker = new Worker(new URL('hash-worker.ts', import.meta.url));

interface Run {
  readonly id: string;
  readonly providers: readonly {
    readonly id: string;
    readonly upload: { readonly state: string; readonly path: string; readonly problem: unknown } | null;
  }[];
}
/** How often it is looked whether a delivery is done: often enough to count, too seldom to be work. */
const pollEveryMs = 50;
let made = 0;
const seconds: Record<string, number[]> = {};
/** Seconds of CPU time of console and registry together. */
const cpu: Record<string, number[]> = {};
await call(registry, 'POST', '/api/v1/boxes', { name: 'direct' }, registryHeaders);
await call(registry, 'POST', '/api/v1/box/admin/direct/versions', { version: '1.0' }, registryHeaders);
const direct = '/api/v1/box/admin/direct/version/1.0/provider';
await call(registry, 'POST', `${direct}s`, { name: 'libvirt' }, registryHeaders);

await throughConsole(() => undefined);
const idle = (await console.spent()).memory;
for (let round = 0; round < rounds; round += 1) {
  await timed('PUT to the registry', putDirectly);
  await timed('through the console', () => throughConsole((taken) => note('sent to the console', taken)));
  await timed('the same, hashed meanwhile', async () => {
    const hashed = hash();
    await throughConsole((taken) => note('sent, hashed meanwhile', taken));
    await hashed;
  });
  await timed('hashed alone', hash);
}
const { mostMemory } = await console.spent();
process.stdout.write(`\nAn image of ${mebibytes} MiB, ${rounds} rounds\n`);
const reference = seconds['PUT to the registry'] ?? [];
for (const name of [
  'PUT to the registry',
  'sent to the console',
  'sent, hashed meanwhile',
  'through the console',
  'the same, hashed meanwhile',
  'hashed alone',
]) {
  const taken = seconds[name] ?? [];
  const ratio = median(taken.map((one, round) => (reference[round] ?? one) / one));
  const rate = mebibytes / median(taken);
  const spent = cpu[name] === undefined ? Number.NaN : median(cpu[name]) / (mebibytes / 1024);
  const servers = Number.isNaN(spent) ? '' : `   ${spent.toFixed(2)} s of the servers' CPU for a GiB`;
  process.stdout.write(
    `  ${name.padEnd(28)} ${rate.toFixed(0).padStart(6)} MiB/s   ${ratio.toFixed(2)} × direct${servers}\n`,
  );
}
process.stdout.write(
  `  The console takes ${((mostMemory - idle) / mebibyte).toFixed(0)} MiB at most above what it takes at rest (${(idle / mebibyte).toFixed(0)} MiB).\n`,
);
await worker.terminate();

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const before = await cpuTimes();
  const started = performance.now();
  await work();
  note(name, (performance.now() - started) / 1000);
  const after = await cpuTimes();
  (cpu[name] ??= []).push(after.console - before.console + after.registry - before.registry);
}

async function cpuTimes(): Promise<{ readonly console: number; readonly registry: number }> {
  return { console: (await console.cpuTime()) / 1e6, registry: (await registryProcess.cpuTime()) / 1e6 };
}

function note(name: string, taken: number): void {
  (seconds[name] ??= []).push(taken);
}

async function hash(): Promise<void> {
  const told = once(worker, 'message');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node has no origin
  worker.postMessage(file);
  await told;
}

async function putDirectly(): Promise<void> {
  const { upload_path: path } = await call<{ upload_path: string }>(
    registry,
    'GET',
    `${direct}/libvirt/upload`,
    undefined,
    registryHeaders,
  );
  await sendImage(path, mebibytes);
}

/** @param sent told the seconds until all was at the console */
async function throughConsole(sent: (seconds: number) => void): Promise<void> {
  const runs = `/api/environments/${environment}/publish-runs`;
  made += 1;
  const image = { name: 'libvirt', source: { kind: 'image' }, checksum: '', checksum_type: null };
  const plan = {
    box: {
      username: 'admin',
      name: `bench-${made}`,
      create: { short_description: '', description: '', is_private: true },
    },
    version: { version: '1.0.0', description: '' },
    providers: [image],
  };
  const ask = <Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body> =>
    call<Body>(consoleUrl, method, path, body, session);
  const run = await ask<Run>('POST', runs, plan);
  const provider = `${runs}/${run.id}/providers/${run.providers[0]?.id}`;
  for (const step of [`${runs}/${run.id}/box`, `${runs}/${run.id}/version`, provider])
    await ask('POST', step, {});
  const picked = { name: 'image.box', size, last_modified: 0, fingerprint: 'a'.repeat(64) };
  const { path } = await ask<{ path: string }>('POST', `${provider}/upload`, picked);
  const started = performance.now();
  for (let at = 0; at < size; at += chunk.length) {
    const answer = await request(consoleUrl + path, {
      method: 'PATCH',
      headers: {
        ...session,
        'tus-resumable': '1.0.0',
        'upload-offset': String(at),
        'content-type': 'application/offset+octet-stream',
      },
      body: chunk.subarray(0, Math.min(chunk.length, size - at)),
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`The console answered ${answer.statusCode} to a chunk.`);
  }
  sent((performance.now() - started) / 1000);
  for (;;) {
    const upload = (await ask<Run>('GET', `${runs}/${run.id}`)).providers[0]?.upload;
    if (upload?.state === 'done') return;
    if (upload?.state === 'failed') throw new Error(`The delivery failed: ${JSON.stringify(upload.problem)}`);
    await sleep(pollEveryMs);
  }
}

async function call<Body>(
  origin: string,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const answer = await request(origin + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Body;
}
