/**
 * An image sent directly to the box registry, which hashes it and syncs it to disk, against what the machine can do: the
 * same bytes written to a file and synced, and hashed alone. What counts is the ratio of the same round.
 *
 *     npm run bench -- boxes [--mebibytes 1024] [--rounds 3]
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { call, openBench, options, sendImage } from './harness.ts';
import { inTurns, printRates, timed } from './measure.ts';

const { mebibytes, rounds } = options({ mebibytes: 1024, rounds: 3 });
const piece = Buffer.alloc(2 ** 20, 'image of a machine');

await using bench = await openBench();
const registry = await bench.service('boxes');
const version = '/api/v1/box/admin/bench/version/1.0';
await call(registry, 'POST', '/api/v1/boxes', { name: 'bench' });
await call(registry, 'POST', '/api/v1/box/admin/bench/versions', { version: '1.0' });
await call(registry, 'POST', `${version}/providers`, { name: 'libvirt' });

const rows = [
  { name: 'written and synced', run: () => timed(mebibytes, [], write) },
  { name: 'hashed (SHA-256)', run: () => timed(mebibytes, [], hash) },
  { name: 'PUT to the registry', run: () => timed(mebibytes, [registry], upload) },
];
printRates(`An image of ${mebibytes} MiB, ${rounds} rounds; CPU for a MiB`, await inTurns(rows, rounds), {
  unit: 'MiB/s',
  reference: 'written',
});

async function write(): Promise<void> {
  await using file = await open(join(bench.folder, 'plain'), 'w');
  for (let at = 0; at < mebibytes; at += 1) await file.write(piece);
  await file.sync();
}

function hash(): void {
  const digest = createHash('sha256');
  for (let at = 0; at < mebibytes; at += 1) digest.update(piece);
  digest.digest();
}

async function upload(): Promise<void> {
  const prepared = await call<{ upload_path: string }>(registry, 'GET', `${version}/provider/libvirt/upload`);
  await sendImage(prepared.upload_path, mebibytes);
}
