import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { consoleHeader } from '@gatehouse/api-types/contract';
import { request } from 'undici';

/** One way to the targets of the controller. */
export interface Path {
  readonly name: string;
  readonly origin: string;
  /** Path of the collection of targets. */
  readonly targets: string;
  /** The session's cookie for the console, a token for the others. */
  readonly credential: string;
  readonly isConsole: boolean;
}

export interface Servers extends AsyncDisposable {
  readonly direct: Path;
  /** The direct one first. */
  readonly paths: readonly Path[];
}

const password = 'bench-of-the-gatehouse';
const root = fileURLToPath(new URL('..', import.meta.url));
const readyDeadlineMs = 20_000;

/** Starts the controller, the console's server and the peers, each in a process and with a folder of its own. */
export async function startPaths(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const children: ChildProcess[] = [];
  const run = (command: string, args: readonly string[], env: Record<string, string> = {}): void => {
    children.push(
      spawn(command, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
  };
  const dispose = async (): Promise<void> => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || !child.kill('SIGTERM')) return;
        await once(child, 'exit');
      }),
    );
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [access, console_, field, ha] = await freePorts(4);
    const origin = `http://127.0.0.1:${access}`;
    run(process.execPath, ['apps/access-controller/src/main.ts'], {
      GATEHOUSE_DATA: join(folder, 'access'),
      GATEHOUSE_ACCESS_PORT: String(access),
      GATEHOUSE_ADMIN_PASSWORD: password,
    });
    const config = join(folder, 'gatehouse.yaml');
    await writeFile(
      config,
      `environments:\n  - id: bench\n    name: Bench\n    kind: development\n    services:\n      access:\n        url: ${origin}\n`,
    );
    run(process.execPath, ['apps/bff/src/main.ts'], {
      GATEHOUSE_CONFIG: config,
      GATEHOUSE_DATA: join(folder, 'console'),
      GATEHOUSE_PORT: String(console_),
    });
    run(process.execPath, ['bench/field-proxy.ts', String(field), origin]);
    const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;
    if (hasHaproxy) {
      const file = join(folder, 'haproxy.cfg');
      await writeFile(file, haproxyConfig(ha ?? 0, access ?? 0));
      run('haproxy', ['-f', file, '-db']);
    }
    await ready(`${origin}/health`);
    await ready(`http://127.0.0.1:${console_}/healthz`);
    const token = await signInDirectly(origin);
    const direct: Path = {
      name: 'direct',
      origin,
      targets: '/v1/targets',
      credential: token,
      isConsole: false,
    };
    const peers = [
      { ...direct, name: 'npm proxy (httpxy)', origin: `http://127.0.0.1:${field}` },
      ...(hasHaproxy ? [{ ...direct, name: 'haproxy', origin: `http://127.0.0.1:${ha}` }] : []),
    ];
    for (const peer of peers) await ready(`${peer.origin}/health`);
    const gatehouse: Path = {
      name: 'Gatehouse',
      origin: `http://127.0.0.1:${console_}`,
      targets: '/api/environments/bench/access/targets',
      credential: await signInToConsole(`http://127.0.0.1:${console_}`),
      isConsole: true,
    };
    return { direct, paths: [direct, gatehouse, ...peers], [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function haproxyConfig(port: number, to: number): string {
  return [
    'global\n  nbthread 1',
    'defaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n  http-reuse always',
    `frontend console\n  bind 127.0.0.1:${port}\n  default_backend controller`,
    `backend controller\n  server one 127.0.0.1:${to}\n`,
  ].join('\n');
}

async function signInDirectly(origin: string): Promise<string> {
  const answer = await request(`${origin}/v1/auth-methods/ampw_1234567890:authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'login', type: 'token', attributes: { login_name: 'admin', password } }),
  });
  const body = (await answer.body.json()) as { attributes: { token: string } };
  return body.attributes.token;
}

async function signInToConsole(origin: string): Promise<string> {
  const answer = await request(`${origin}/api/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [consoleHeader.name]: consoleHeader.value,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({
      environment: 'bench',
      service: 'access',
      credentials: { method: 'password', login_name: 'admin', password },
    }),
  });
  await answer.body.dump();
  const cookie = [answer.headers['set-cookie']].flat()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`The console did not sign in: ${answer.statusCode}`);
  return cookie;
}

/** Waits until the address answers 200. */
async function ready(url: string): Promise<void> {
  const deadline = performance.now() + readyDeadlineMs;
  for (;;) {
    try {
      const answer = await request(url);
      await answer.body.dump();
      if (answer.statusCode === 200) return;
    } catch {
      // Not listening yet.
    }
    if (performance.now() > deadline)
      throw new Error(`${url} is not ready after ${readyDeadlineMs / 1000} s.`);
    await sleep(50);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const address = server.address();
      server.close();
      await once(server, 'close');
      if (address === null || typeof address === 'string') throw new Error('A free port has no number.');
      return address.port;
    }),
  );
}
