/**
 * Reads and writes of one target through the console's server, against the same calls sent to the controller directly,
 * through a general proxy from npm and, where it is installed, through haproxy (one thread).
 *
 *     npm run bench -- target [--seconds 4] [--rounds 5] [--connections 16]
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, environment, freePort, openBench, options, ready, type Server } from './harness.ts';
import { inTurns, load, print, printRates, type Work } from './measure.ts';

const { seconds, rounds, connections } = options({ seconds: 4, rounds: 5, connections: 16 });

await using bench = await openBench();
const direct = await bench.service('access');
const gatehouse = await bench.console('access', direct);
const field = await bench.start('bench/field-proxy.ts', '/health', { args: [direct.origin] });
const servers = [
  { ...direct, name: 'direct' },
  { ...gatehouse, name: 'Gatehouse' },
  { ...direct, ...field, headers: direct.headers, name: 'npm proxy (httpxy)' },
];
if (spawnSync('haproxy', ['-v']).status === 0) {
  const port = await freePort();
  const file = join(bench.folder, 'haproxy.cfg');
  await writeFile(file, haproxyConfig(port, direct.origin));
  bench.run('haproxy', ['-f', file, '-db']);
  const origin = `http://127.0.0.1:${port}`;
  await ready(`${origin}/health`);
  servers.push({ origin, headers: direct.headers, token: '', name: 'haproxy' });
} else print('haproxy is not installed here, so it is left out.\n');

const kinds: Readonly<Record<string, (of: Server, name: string) => Promise<Work>>> = {
  'read a target': async (of) => () => ({
    method: 'GET',
    path: `${targetsOf(of)}/ttcp_1234567890`,
    headers: of.headers,
  }),
  // Each connection changes its own target, with the last seen version.
  'write a target': async (of, name) => {
    const made = await Promise.all(Array.from({ length: connections }, () => createTarget(direct)));
    const turns = made.map(() => 0);
    return (slot) => {
      const version = (turns[slot] ?? 0) + 1;
      turns[slot] = version;
      const description = `changed ${version} times by ${name}`;
      const isConsole = of.origin === gatehouse.origin;
      return {
        method: 'PATCH',
        path: `${targetsOf(of)}/${made[slot]?.id}`,
        headers: {
          ...of.headers,
          'content-type': 'application/json',
          ...(isConsole && { 'if-match': `"${version}"` }),
        },
        body: JSON.stringify(isConsole ? { description } : { version, description }),
      };
    };
  },
};
for (const [title, workOf] of Object.entries(kinds)) {
  const rows = await Promise.all(
    servers.map(async (of) => ({ of, name: of.name, work: await workOf(of, of.name) })),
  );
  for (const { of, work } of rows) await load(of, work, { connections, seconds: 1 });
  const measured = await inTurns(
    rows.map(({ name, of, work }) => ({ name, run: () => load(of, work, { connections, seconds }) })),
    rounds,
  );
  printRates(`${title}, ${connections} connections, ${rounds} rounds of ${seconds} s`, measured, {
    reference: 'direct',
  });
}

function targetsOf({ origin }: Server): string {
  return origin === gatehouse.origin ? `/api/environments/${environment}/access/targets` : '/v1/targets';
}

function createTarget(at: Server): Promise<{ readonly id: string }> {
  return call(at, 'POST', '/v1/targets', {
    type: 'tcp',
    scope_id: 'p_1234567890',
    name: `bench ${crypto.randomUUID()}`,
    address: '127.0.0.1',
    attributes: { default_port: 22 },
  });
}

function haproxyConfig(port: number, origin: string): string {
  return [
    'global\n  nbthread 1',
    'defaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n  http-reuse always',
    `frontend console\n  bind 127.0.0.1:${port}\n  default_backend controller`,
    `backend controller\n  server one ${new URL(origin).host}\n`,
  ].join('\n');
}
