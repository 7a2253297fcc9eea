/**
 * An image moved from one box registry to another by the console, which checks it twice and syncs it on the way, against the
 * same image fetched and sent by curl: GET to a file, then PUT to the same registry. What counts is the ratio of the same
 * round. Then many small images: how many a second.
 *
 *     npm run bench -- moves [--mebibytes 512] [--rounds 3] [--images 200]
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { call, environment, openBench, options, sendImage, type Server } from './harness.ts';
import { inTurns, print, printRates, timed } from './measure.ts';

const { mebibytes, rounds, images } = options({ mebibytes: 512, rounds: 3, images: 200 });

await using bench = await openBench();
const source = await bench.service('boxes', 'source');
const here = await bench.service('boxes', 'here');
const gatehouse = await bench.console('boxes', here, `moves:\n  sources: ['${source.origin}']\n`);
const curl = promisify(execFile);
const file = join(bench.folder, 'image.box');

for (let round = 0; round < rounds; round += 1) await seed(`large-${round}`, 1, mebibytes);
await seed('small', images, 1);
const direct = await makeVersion(here, 'direct');
const pathHere = await makeProvider(here, direct, 'curl');

const turns = { curl: 0, move: 0 };
const atRest = (await gatehouse.used?.())?.memory ?? Number.NaN;
const rows = [
  { name: 'curl: GET, then PUT', run: () => timed(mebibytes, [], () => byCurl(turns.curl++)) },
  {
    name: 'moved by the console',
    run: async () => {
      const move = await planned(`large-${turns.move++}`);
      return timed(mebibytes, [gatehouse], () => copied(move));
    },
  },
];
printRates(
  `An image of ${mebibytes} MiB from one registry to another, ${rounds} rounds; CPU for a MiB`,
  await inTurns(rows, rounds),
  { unit: 'MiB/s', reference: 'curl' },
);
const many = await planned('small');
const { perSecond } = await timed(images, [], () => copied(many));
const most = (await gatehouse.used?.())?.mostMemory ?? Number.NaN;
print(`${images} images of 1 MiB each: ${perSecond.toFixed(1)} a second
The console takes at most ${((most - atRest) / 2 ** 20).toFixed(0)} MiB above what it takes at rest (${(atRest / 2 ** 20).toFixed(0)} MiB).
`);

/** @returns the path of the version */
async function makeVersion(at: Server, box: string): Promise<string> {
  await call(at, 'POST', '/api/v2/boxes', { name: box });
  await call(at, 'POST', `/api/v2/box/admin/${box}/versions`, { version: '1.0' });
  return `/api/v2/box/admin/${box}/version/1.0`;
}

/** @returns the path that prepares its upload */
async function makeProvider(at: Server, version: string, name: string): Promise<string> {
  await call(at, 'POST', `${version}/providers`, { name, architecture: 'amd64' });
  return `${version}/provider/${name}/amd64/upload`;
}

async function seed(box: string, count: number, size: number): Promise<void> {
  const version = await makeVersion(source, box);
  for (let index = 0; index < count; index += 1) {
    const path = await makeProvider(source, version, `p${index}`);
    await sendImage((await call<{ upload_path: string }>(source, 'GET', path)).upload_path, size);
  }
  await call(source, 'PUT', `${version}/release`, {});
}

async function byCurl(round: number): Promise<void> {
  const from = `${source.origin}/admin/boxes/large-${round}/versions/1.0/providers/p0/amd64/vagrant.box`;
  await curl('curl', ['-sSf', '-H', `Authorization: Bearer ${source.token}`, '-o', file, from]);
  const { upload_path: to } = await call<{ upload_path: string }>(here, 'GET', pathHere);
  await curl('curl', ['-sSf', '-T', file, to]);
}

/** Plans a move of one box. @returns its path */
async function planned(box: string): Promise<string> {
  const moves = `/api/environments/${environment}/moves`;
  const wanted = [`admin/${box}`];
  const asked = { kind: 'boxes', address: source.origin, token: source.token, wanted };
  const path = `${moves}/${(await call<{ id: string }>(gatehouse, 'POST', moves, asked)).id}`;
  await resting(path, 'planned');
  return path;
}

async function copied(path: string): Promise<void> {
  await call(gatehouse, 'POST', `${path}/start`, { token: source.token });
  await resting(path, 'done');
}

async function resting(path: string, wanted: string): Promise<void> {
  for (;;) {
    const move = await call<{ state: string; pieces: { failed: number } }>(gatehouse, 'GET', path);
    if (move.state === 'paused' || move.pieces.failed > 0)
      throw new Error(`The move is ${move.state}, and ${move.pieces.failed} images failed.`);
    if (move.state === wanted) return;
    // Often enough to count, and too seldom to cost work.
    await sleep(50);
  }
}
