/**
 * The secrets server with values of 1 KiB: reads and durable writes, directly and through the console's server, and a
 * recursive search. Beside them what this machine can do at most: Node's HTTP server with the same bytes, and the disk.
 * Every server is a process of its own. Rows take turns, so that the machine's mood falls on all of them alike; what
 * counts is the ratio to the bare server of the same round, and the CPU time, which other work on the machine hardly changes.
 *
 *     npm run bench -- secrets [--seconds 2] [--rounds 3] [--clients 1,16,32] [--keys 100000]
 */
import { parseArgs } from 'node:util';
import { durableRecords } from './disk.ts';
import { load, type Rate } from './load.ts';
import { positive } from './options.ts';
import { median, table } from './report.ts';
import { search } from './secrets-search.ts';
import { startSecrets } from './secrets-servers.ts';
import { plant, prepare, readDirectly, readMasked, reveal, update, writeDirectly } from './secrets-work.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '1,16,32' },
    keys: { type: 'string', default: '100000' },
  },
});
const seconds = positive('seconds', values.seconds);
const rounds = positive('rounds', values.rounds);
const clients = values.clients.split(',').map((text) => positive('clients', text));
const keys = positive('keys', values.keys);
/** More than clients have, so that filling the store is soon over. */
const plantingConnections = 64;

await using servers = await startSecrets();
const { secrets, token, console: console_, cookie, folder } = servers;
const answers = await prepare(secrets.origin, token, Math.max(...clients));
const direct = { read: readDirectly(token), write: writeDirectly(token) };
const kinds = {
  reads: [
    { name: 'bare HTTP server', ...(await servers.startBare(answers.read)), work: direct.read },
    { name: 'secrets server, read', ...secrets, work: direct.read },
    { name: 'console, masked read', ...console_, work: readMasked(cookie) },
    { name: 'console, reveal', ...console_, work: reveal(cookie) },
  ],
  'durable writes': [
    { name: 'bare HTTP server', ...(await servers.startBare(answers.write)), work: direct.write },
    { name: 'secrets server, write', ...secrets, work: direct.write },
    { name: 'console, guarded update', ...console_, work: update(cookie) },
  ],
};
for (const rows of Object.values(kinds)) {
  for (const row of rows) await load({ ...row, connections: Math.max(...clients), seconds: 2 });
}
for (const connections of clients) {
  for (const [title, rows] of Object.entries(kinds)) {
    const measured = rows.map((row) => ({ row, rates: [] as Rate[] }));
    const synced: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const { row, rates } of measured) rates.push(await load({ ...row, connections, seconds }));
      if (title !== 'reads') synced.push(durableRecords(folder, connections, 0.5));
    }
    const named = `${title}, 1 KiB, ${connections} clients, ${rounds} rounds of ${seconds} s`;
    print(
      table(
        named,
        measured.map(({ row, rates }) => ({ name: row.name, rates })),
        'bare HTTP',
      ),
    );
    if (synced.length > 0) {
      print(
        `  the disk: ${median(synced).toFixed(0)} /s, ${connections} ${connections === 1 ? 'record' : 'records'} to a sync\n`,
      );
    }
  }
}

const planting = await load({
  ...secrets,
  work: plant(token),
  connections: plantingConnections,
  requests: keys,
});
print(`\nsearch of ${keys} keys through the console (planted at ${planting.perSecond.toFixed(0)} /s)\n`);
for (let round = 0; round < rounds; round += 1) {
  const { secrets: seen, folders, found, firstAfter, endAfter, ...cpu } = await search(servers, 'key-42');
  print(
    `  ${seen} secrets in ${folders} folders, ${found} found: ${endAfter.toFixed(2)} s, ` +
      `${(seen / endAfter).toFixed(0)} keys/s, first find after ${(firstAfter * 1000).toFixed(0)} ms; ` +
      `CPU ${cpu.consoleCpu.toFixed(2)} s console, ${cpu.secretsCpu.toFixed(2)} s secrets server\n`,
  );
}

function print(text: string): void {
  process.stdout.write(text);
}
