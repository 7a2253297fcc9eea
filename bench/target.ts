/**
 * Reads and writes of one target through the console's server, against the same calls made to the controller
 * directly, through a general proxy of the field from npm and, where it is installed, through haproxy (one thread).
 * Every server is a process of its own. The paths take turns, so that the machine's mood falls on all of them alike;
 * what counts is the ratio to the direct calls of the same round.
 *
 *     npm run bench -- target [--seconds 4] [--rounds 5] [--connections 16]
 */
import { parseArgs } from 'node:util';
import { load, type Rate, type Work } from './load.ts';
import { positive } from './options.ts';
import { table } from './report.ts';
import { startPaths, type Path } from './target-servers.ts';
import { createOwnTargets, read, write } from './target-work.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
  },
});
const seconds = positive('seconds', values.seconds);
const rounds = positive('rounds', values.rounds);
const connections = positive('connections', values.connections);

await using servers = await startPaths();
const kinds: Record<string, (path: Path) => Promise<Work>> = {
  'read a target': async (path) => read(path),
  'write a target': async (path) => write(path, await createOwnTargets(servers.direct, connections)),
};
for (const [title, workOf] of Object.entries(kinds)) {
  const works = await Promise.all(
    servers.paths.map(async (path) => ({ path, work: await workOf(path), rates: [] as Rate[] })),
  );
  for (const { path, work } of works) await load({ ...path, work, connections, seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    for (const { path, work, rates } of works)
      rates.push(await load({ ...path, work, connections, seconds }));
  }
  process.stdout.write(
    table(
      `${title}, ${connections} connections, ${rounds} rounds of ${seconds} s`,
      works.map(({ path, rates }) => ({ name: path.name, rates })),
      'direct',
    ),
  );
}
if (!servers.paths.some(({ name }) => name === 'haproxy')) {
  process.stdout.write('haproxy is not installed here, so it was left out.\n');
}
