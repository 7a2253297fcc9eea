import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { configurationText, environment, password, signInToConsole } from './console.ts';
import { freePorts, processes, ready, type Metered } from './processes.ts';

/** One way to the targets of the controller. */
export interface Path {
  readonly name: string;
  readonly origin: string;
  /** Path of the collection of targets. */
  readonly targets: string;
  /** The session's cookie for the console, a token for the others. */
  readonly credential: string;
  readonly isConsole: boolean;
  /** The process that is asked; undefined of a program that does not tell its CPU time. */
  readonly server: Metered | undefined;
}

export interface Servers extends AsyncDisposable {
  readonly direct: Path;
  /** The direct one first. */
  readonly paths: readonly Path[];
}

/** Starts the controller, the console's server and the peers, each in a process and with a folder of its own. */
export async function startPaths(): Promise<Servers> {
  await using started = new AsyncDisposableStack();
  const running = started.use(await processes());
  const { folder } = running;
  const port = await freePorts('access', 'console', 'field', 'ha');
  const origin = `http://127.0.0.1:${port.access}`;
  const controller = running.start(['apps/access-controller/src/main.ts'], {
    GATEHOUSE_DATA: join(folder, 'access'),
    GATEHOUSE_ACCESS_PORT: String(port.access),
    GATEHOUSE_ADMIN_PASSWORD: password,
  });
  const config = join(folder, 'gatehouse.yaml');
  await writeFile(config, configurationText('access', origin));
  const console_ = running.start(['apps/bff/src/main.ts'], {
    GATEHOUSE_CONFIG: config,
    GATEHOUSE_DATA: join(folder, 'console'),
    GATEHOUSE_PORT: String(port.console),
  });
  const field = running.start(['bench/field-proxy.ts', String(port.field), origin]);
  const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;
  if (hasHaproxy) {
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, haproxyConfig(port.ha, port.access));
    running.startProgram('haproxy', ['-f', file, '-db']);
  }
  const consoleOrigin = `http://127.0.0.1:${port.console}`;
  await ready(`${origin}/health`);
  await ready(`${consoleOrigin}/healthz`);
  const direct: Path = {
    name: 'direct',
    origin,
    targets: '/v1/targets',
    credential: await signInDirectly(origin),
    isConsole: false,
    server: controller,
  };
  const peers: Path[] = [
    { ...direct, name: 'npm proxy (httpxy)', origin: `http://127.0.0.1:${port.field}`, server: field },
  ];
  if (hasHaproxy) {
    peers.push({ ...direct, name: 'haproxy', origin: `http://127.0.0.1:${port.ha}`, server: undefined });
  }
  for (const peer of peers) await ready(`${peer.origin}/health`);
  const gatehouse: Path = {
    name: 'Gatehouse',
    origin: consoleOrigin,
    targets: `/api/environments/${environment}/access/targets`,
    credential: await signInToConsole(consoleOrigin, 'access'),
    isConsole: true,
    server: console_,
  };
  const kept = started.move();
  return {
    direct,
    paths: [direct, gatehouse, ...peers],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function haproxyConfig(port: number, to: number): string {
  return [
    'global\n  nbthread 1',
    'defaults\n  mode http\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n  http-reuse always',
    `frontend console\n  bind 127.0.0.1:${port}\n  default_backend controller`,
    `backend controller\n  server one 127.0.0.1:${to}\n`,
  ].join('\n');
}

/** Signs in to an access controller. Answers a token. */
export async function signInDirectly(origin: string): Promise<string> {
  const answer = await request(`${origin}/v1/auth-methods/ampw_1234567890:authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'login', type: 'token', attributes: { login_name: 'admin', password } }),
  });
  const body = (await answer.body.json()) as { attributes: { token: string } };
  return body.attributes.token;
}
