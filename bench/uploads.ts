/**
 * An image sent to the console (by tus, in chunks of 16 MiB, each on the disk before it is confirmed: as long as the page has
 * to stay open), and through it (until it was delivered to the registry too, and verified), against the same image sent
 * directly to the registry. What the page hashes meanwhile is hashed here in a worker of Node, by the page's own
 * WebAssembly. What counts is the ratio of the same round.
 *
 *     npm run bench -- uploads [--mebibytes 1024] [--rounds 3]
 */
import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { uploadChunkBytes } from '@gatehouse/api-types/console/publish-uploads';
import { request } from 'undici';
import { call, environment, openBench, options, sendImage } from './harness.ts';
import { inTurns, print, printRates, timed, type Rate } from './measure.ts';

const { mebibytes, rounds } = options({ mebibytes: 1024, rounds: 3 });
const size = mebibytes * 2 ** 20;
const chunk = Buffer.alloc(uploadChunkBytes, 'image of a machine');

await using bench = await openBench();
const registry = await bench.service('boxes');
const gatehouse = await bench.console('boxes', registry);
const version = '/api/v1/box/admin/direct/version/1.0';
await call(registry, 'POST', '/api/v1/boxes', { name: 'direct' });
await call(registry, 'POST', '/api/v1/box/admin/direct/versions', { version: '1.0' });
await call(registry, 'POST', `${version}/providers`, { name: 'libvirt' });
const file = join(bench.folder, 'image.box');
await writeFile(file, chunk);
await truncate(file, size);
const worker = new Worker(new URL('hash-worker.ts', import.meta.url));
let made = 0;
/** Of the last image, until the console had all of it. */
let sent: Rate | undefined;
const sentLast = (): Promise<Rate> => Promise.resolve(sent ?? { perSecond: Number.NaN, cpuEach: Number.NaN });

await throughConsole();
const atRest = (await gatehouse.used?.())?.memory ?? Number.NaN;
const both = [registry, gatehouse];
const rows = [
  { name: 'PUT to the registry', run: () => timed(mebibytes, both, putDirectly) },
  { name: 'through the console', run: () => timed(mebibytes, both, throughConsole) },
  { name: '… sent to the console', run: sentLast },
  {
    name: 'the same, hashed meanwhile',
    run: () => timed(mebibytes, both, () => Promise.all([hash(), throughConsole()])),
  },
  { name: '… sent, hashed meanwhile', run: sentLast },
  { name: 'hashed alone', run: () => timed(mebibytes, [], hash) },
];
printRates(
  `An image of ${mebibytes} MiB, ${rounds} rounds; CPU for a MiB, of both servers`,
  await inTurns(rows, rounds),
  { unit: 'MiB/s', reference: 'direct' },
);
const most = (await gatehouse.used?.())?.mostMemory ?? Number.NaN;
print(
  `  The console takes at most ${((most - atRest) / 2 ** 20).toFixed(0)} MiB above what it takes at rest (${(atRest / 2 ** 20).toFixed(0)} MiB).\n`,
);
await worker.terminate();

async function hash(): Promise<void> {
  const hashed = once(worker, 'message');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node has no origin
  worker.postMessage(file);
  await hashed;
}

async function putDirectly(): Promise<void> {
  const prepared = await call<{ upload_path: string }>(registry, 'GET', `${version}/provider/libvirt/upload`);
  await sendImage(prepared.upload_path, mebibytes);
}

interface Run {
  readonly id: string;
  readonly providers: readonly {
    readonly id: string;
    readonly upload: { readonly state: string; readonly problem: unknown } | null;
  }[];
}

async function throughConsole(): Promise<void> {
  made += 1;
  const create = { short_description: '', description: '', is_private: true };
  const runs = `/api/environments/${environment}/publish-runs`;
  const { id, providers } = await call<Run>(gatehouse, 'POST', runs, {
    box: { username: 'admin', name: `bench-${made}`, create },
    version: { version: '1.0.0', description: '' },
    providers: [{ name: 'libvirt', source: { kind: 'image' }, checksum: '', checksum_type: null }],
  });
  const run = `${runs}/${id}`;
  const provider = `${run}/providers/${providers[0]?.id}`;
  for (const step of [`${run}/box`, `${run}/version`, provider]) await call(gatehouse, 'POST', step, {});
  const picked = { name: 'image.box', size, last_modified: 0, fingerprint: 'a'.repeat(64) };
  const { path } = await call<{ path: string }>(gatehouse, 'POST', `${provider}/upload`, picked);
  sent = await timed(mebibytes, [], async () => {
    for (let at = 0; at < size; at += chunk.length) {
      const answer = await request(gatehouse.origin + path, {
        method: 'PATCH',
        headers: {
          ...gatehouse.headers,
          'tus-resumable': '1.0.0',
          'upload-offset': String(at),
          'content-type': 'application/offset+octet-stream',
        },
        body: chunk.subarray(0, Math.min(chunk.length, size - at)),
      });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`The console answered ${answer.statusCode} to a chunk.`);
    }
  });
  for (;;) {
    const upload = (await call<Run>(gatehouse, 'GET', run)).providers[0]?.upload;
    if (upload?.state === 'done') return;
    if (upload?.state === 'failed') throw new Error(`The delivery failed: ${JSON.stringify(upload.problem)}`);
    // Often enough to count, and too seldom to cost work.
    await sleep(50);
  }
}
