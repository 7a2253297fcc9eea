/**
 * The secrets server with values of 1 KiB: reads and durable writes, directly and through the console's server, and a
 * recursive search. Beside them what this machine can do at most: Node's HTTP server with the same bytes, and the disk.
 * What counts is the ratio to the bare server of the same round, and the CPU time, which other work on the machine hardly
 * changes.
 *
 *     npm run bench -- secrets [--seconds 2] [--rounds 3] [--clients 1,16,32] [--keys 100000]
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { searchLine } from '@gatehouse/api-types/console/secret-scans';
import { request } from 'undici';
import { call, environment, openBench, options } from './harness.ts';
import { inTurns, load, median, print, printRates, timed, type Work } from './measure.ts';
import { secretData, writeDirectly } from './secret-writes.ts';

const { seconds, rounds, clients, keys } = options({
  seconds: 2,
  rounds: 3,
  clients: [1, 16, 32],
  keys: 100_000,
});

await using bench = await openBench();
const secrets = await bench.service('secrets');
const gatehouse = await bench.console('secrets', secrets);
const ofConsole = `/api/environments/${environment}/secrets/mounts/secret`;
const consolePath = (path: string): string => `${ofConsole}/secrets/${encodeURIComponent(path)}`;
const directPath = (path: string): string => `/v1/secret/data/${path}`;
const jsonOf = (headers: Readonly<Record<string, string>>) => ({
  ...headers,
  'content-type': 'application/json',
});

const first = { data: secretData };
const written = await call(secrets, 'POST', directPath('bench/read'), first);
for (let slot = 0; slot < Math.max(...clients); slot += 1)
  await call(secrets, 'POST', directPath(`bench/console-${slot}`), first);
const read = await call(secrets, 'GET', directPath('bench/read'));

const works = {
  read: () => ({ method: 'GET', path: directPath('bench/read'), headers: secrets.headers }),
  write: writeDirectly(secrets),
  // What the page shows first: names of fields without their values, and the user's rights.
  masked: () => ({ method: 'GET', path: consolePath('bench/read'), headers: gatehouse.headers }),
  // The audit trail records this.
  reveal: () => ({
    method: 'POST',
    path: `${consolePath('bench/read')}/reveal`,
    headers: jsonOf(gatehouse.headers),
    body: '{}',
  }),
  update: updates(),
} satisfies Record<string, Work>;
const kinds = {
  reads: [
    { name: 'bare HTTP server', of: await bench.bare(JSON.stringify(read)), work: works.read },
    { name: 'secrets server, read', of: secrets, work: works.read },
    { name: 'console, masked read', of: gatehouse, work: works.masked },
    { name: 'console, reveal', of: gatehouse, work: works.reveal },
  ],
  'durable writes': [
    { name: 'bare HTTP server', of: await bench.bare(JSON.stringify(written)), work: works.write },
    { name: 'secrets server, write', of: secrets, work: works.write },
    { name: 'console, guarded update', of: gatehouse, work: works.update },
  ],
};
for (const { of, work } of Object.values(kinds).flat())
  await load(of, work, { connections: Math.max(...clients), seconds: 2 });
for (const connections of clients) {
  for (const [title, rows] of Object.entries(kinds)) {
    const onDisk: number[] = [];
    const measured = await inTurns(
      rows.map(({ name, of, work }) => ({ name, run: () => load(of, work, { connections, seconds }) })),
      rounds,
      async () => void onDisk.push(await durableRecords(connections)),
    );
    const named = `${title}, 1 KiB, ${connections} clients, ${rounds} rounds of ${seconds} s`;
    printRates(named, measured, { reference: 'bare HTTP' });
    if (title !== 'reads')
      print(`  the disk: ${median(onDisk).toFixed(0)} /s, records to a sync: ${connections}\n`);
  }
}

// More connections than clients have, so that the store fills quickly.
const planting = await load(secrets, plant(), { connections: 64, requests: keys });
print(`\nsearch of ${keys} keys through the console (written at ${planting.perSecond.toFixed(0)} /s)\n`);
for (let round = 0; round < rounds; round += 1) await search('key-42');

/** Writes a secret with the last seen version. Each connection has its own secret. */
function updates(): Work {
  const revisions: number[] = [];
  const body = JSON.stringify({ data: JSON.stringify(secretData) });
  return (slot) => {
    const revision = (revisions[slot] ?? 0) + 1;
    revisions[slot] = revision;
    const headers = { ...jsonOf(gatehouse.headers), 'if-match': `"${revision}"` };
    return { method: 'PUT', path: consolePath(`bench/console-${slot}`), headers, body };
  };
}

/** Writes new secrets, a hundred in a folder, ten folders in a folder. */
function plant(): Work {
  let number = 0;
  return () => {
    const digits = String(number).padStart(5, '0');
    number += 1;
    const folder = `${digits.slice(0, -4)}/${digits.at(-4)}/${digits.at(-3)}`;
    const path = directPath(`tree/${folder}/key-${digits.slice(-2)}`);
    return { method: 'POST', path, headers: jsonOf(secrets.headers), body: '{"data":{"password":"x"}}' };
  };
}

/** Searches everything through the console. */
async function search(text: string): Promise<void> {
  let firstMs = Number.NaN;
  let end: Extract<ReturnType<typeof searchLine.parse>, { kind: 'end' }> | undefined;
  const { perSecond, cpuEach } = await timed(1, [gatehouse, secrets], async () => {
    const started = performance.now();
    const path = `${ofConsole}/search?text=${encodeURIComponent(text)}&limit=10000`;
    const answer = await request(gatehouse.origin + path, { headers: gatehouse.headers });
    for await (const line of createInterface({ input: answer.body })) {
      const told = searchLine.parse(JSON.parse(line));
      if (told.kind === 'match' && Number.isNaN(firstMs)) firstMs = performance.now() - started;
      if (told.kind === 'end') end = told;
    }
  });
  if (end === undefined) throw new Error('The search did not come to its end.');
  print(
    `  ${end.secrets} secrets in ${end.folders_read} folders, ${end.found} found: ${(1 / perSecond).toFixed(2)} s, ` +
      `${(end.secrets * perSecond).toFixed(0)} keys/s, first find after ${firstMs.toFixed(0)} ms, ` +
      `CPU ${(cpuEach / 1e6).toFixed(2)} s of both servers\n`,
  );
}

/** Records per second that are appended to a file, with one sync per group: the most that the disk can do. */
async function durableRecords(group: number): Promise<number> {
  const descriptor = openSync(join(bench.folder, 'sync'), 'w');
  // Approximate bytes that one write of a secret leaves in the database's log: the changed pages.
  const records = Buffer.alloc(4096 * group, 'x');
  const syncs = 100;
  const { perSecond } = await timed(syncs * group, [], () => {
    for (let at = 0; at < syncs; at += 1) {
      writeSync(descriptor, records, 0, records.length, at * records.length);
      fdatasyncSync(descriptor);
    }
  });
  closeSync(descriptor);
  return perSecond;
}
