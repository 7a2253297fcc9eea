/** What all benchmarks need: options, servers in processes of their own, and a client. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { consoleHeader } from '@gatehouse/api-types/contract';
import { request } from 'undici';

/** The password of `admin` at all servers of a benchmark. */
export const password = 'bench-of-the-gatehouse';

/** The ID of the console's only environment. */
export const environment = 'bench';

const root = fileURLToPath(new URL('..', import.meta.url));
const meter = new URL('cpu-meter.ts', import.meta.url).href;
const readyWithinMs = 20_000;

/**
 * Options of the command line, `--name 5`. A list is given as `--name 1,2`.
 * @param defaults each option with its default
 * @throws Error that names an option that isn't a whole number from 1
 */
export function options<Options extends Readonly<Record<string, number | readonly number[]>>>(
  defaults: Options,
): { readonly [Name in keyof Options]: Options[Name] extends number ? number : readonly number[] } {
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) }]),
    ),
    allowPositionals: true,
  });
  const numbers = Object.entries(values).map(([name, text]) => {
    const given = text.split(',').map(Number);
    const isList = typeof defaults[name] !== 'number';
    if (given.some((one) => !Number.isInteger(one) || one < 1) || (given.length > 1 && !isList))
      throw new Error(
        `--${name} takes ${isList ? 'whole numbers' : 'a whole number'} from 1, not "${text}".`,
      );
    return [name, isList ? given : given[0]];
  });
  return Object.fromEntries(numbers);
}

/** What a process has used since it started. */
export interface Used {
  /** Microseconds of CPU time of all its threads. */
  readonly cpu: number;
  /** Bytes of memory: now, and the most so far. */
  readonly memory: number;
  readonly mostMemory: number;
}

/** A server that answers HTTP. */
export interface Server {
  readonly origin: string;
  /** Headers of its administrator's requests. */
  readonly headers: Readonly<Record<string, string>>;
  /** The administrator's token; the session's cookie for the console. */
  readonly token: string;
  /** Undefined if the process doesn't report its usage. */
  readonly used?: () => Promise<Used>;
}

/** How an embedded service is started, and how its administrator signs in. */
const services = {
  access: {
    app: 'access-controller',
    health: '/health',
    signIn: async (at: Server): Promise<string> => {
      const credentials = { type: 'token', attributes: { login_name: 'admin', password } };
      const path = '/v1/auth-methods/ampw_1234567890:authenticate';
      const body = { command: 'login', ...credentials };
      return (await call<{ attributes: { token: string } }>(at, 'POST', path, body)).attributes.token;
    },
    headers: (token: string) => ({ authorization: `Bearer ${token}` }),
  },
  secrets: {
    app: 'secrets-server',
    health: '/v1/sys/health',
    signIn: async (at: Server): Promise<string> => {
      const path = '/v1/auth/userpass/login/admin';
      return (await call<{ auth: { client_token: string } }>(at, 'POST', path, { password })).auth
        .client_token;
    },
    headers: (token: string) => ({ 'x-vault-token': token }),
  },
  boxes: {
    app: 'box-registry',
    health: '/health',
    signIn: async (at: Server): Promise<string> => {
      const user = { login: 'admin', password };
      return (await call<{ token: string }>(at, 'POST', '/api/v1/authenticate', { user })).token;
    },
    headers: (token: string) => ({ authorization: `Bearer ${token}` }),
  },
} as const;

export type Service = keyof typeof services;

/** Creates an empty folder, where servers are started. Disposing of it ends the processes and removes the folder. */
export async function openBench() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const children: ChildProcess[] = [];
  const run = (command: string, args: readonly string[], env = {}, stdio: 'ipc' | 'ignore' = 'ignore') => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit', stdio],
    });
    children.push(child);
    return child;
  };
  /** Starts a TypeScript file of the project, and waits for 200 at `health`. The file listens on the given port. */
  const start = async (
    file: string,
    health: string,
    how: { readonly args?: readonly string[]; readonly env?: (port: number) => Record<string, string> } = {},
  ): Promise<Server> => {
    const port = await freePort();
    const args = ['--import', meter, file, String(port), ...(how.args ?? [])];
    const child = run(process.execPath, args, how.env?.(port), 'ipc');
    const origin = `http://127.0.0.1:${port}`;
    await ready(origin + health);
    const used = async (): Promise<Used> => {
      const answered = once(child, 'message') as Promise<[Used]>;
      child.send('used');
      return (await answered)[0];
    };
    return { origin, headers: {}, token: '', used };
  };
  return {
    folder,
    start,
    /** Starts a program of the machine. */
    run,
    /**
     * Starts an embedded service and signs its administrator in.
     * @param name the name of its folder, if there are several of one kind
     */
    async service(kind: Service, name: string = kind): Promise<Server> {
      const { app, health, signIn, headers } = services[kind];
      const clusterPort = String(await freePort());
      const server = await start(`apps/${app}/src/main.ts`, health, {
        env: (port) => ({
          GATEHOUSE_DATA: join(folder, name),
          [`GATEHOUSE_${kind.toUpperCase()}_PORT`]: String(port),
          GATEHOUSE_SECRETS_CLUSTER_PORT: clusterPort,
          GATEHOUSE_ADMIN_PASSWORD: password,
        }),
      });
      const token = await signIn(server);
      return { ...server, token, headers: headers(token) };
    },
    /** Starts the console in front of one service and signs in. @param more further lines of its configuration */
    async console(kind: Service, { origin }: Server, more = ''): Promise<Server> {
      const config = join(folder, 'gatehouse.yaml');
      const environments = [
        { id: environment, name: 'Bench', kind: 'development', services: { [kind]: { url: origin } } },
      ];
      // JSON is YAML.
      await writeFile(config, `environments: ${JSON.stringify(environments)}\n${more}`);
      const server = await start('apps/bff/src/main.ts', '/healthz', {
        env: (port) => ({
          GATEHOUSE_CONFIG: config,
          GATEHOUSE_DATA: join(folder, 'console'),
          GATEHOUSE_PORT: String(port),
        }),
      });
      return { ...server, ...(await signInToConsole(server.origin, kind)) };
    },
    /** Starts Node's HTTP server, which answers the same text to everything: the most that this machine can do. */
    async bare(text: string): Promise<Server> {
      const file = join(folder, `answer-${children.length}`);
      await writeFile(file, text);
      return start('bench/bare-server.ts', '', { args: [file] });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
        }),
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until an address answers 200. @throws Error after 20 s */
export async function ready(url: string): Promise<void> {
  await until(async () => {
    const answer = await request(url).catch(() => undefined);
    await answer?.body.dump();
    return answer?.statusCode === 200;
  }, `${url} is not ready.`);
}

/** Waits for a condition. @throws Error with this text after 20 s */
export async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(otherwise);
    await sleep(1);
  }
}

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Signs in to one service through the console, with a given password or the benchmark's. */
export async function signInToConsole(
  origin: string,
  service: Service,
  to = environment,
  chosen = password,
): Promise<Pick<Server, 'headers' | 'token'>> {
  const page = { [consoleHeader.name]: consoleHeader.value, 'sec-fetch-site': 'same-origin' };
  const credentials = { method: 'password', login_name: 'admin', password: chosen };
  const answer = await request(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...page },
    body: JSON.stringify({ environment: to, service, credentials }),
  });
  await answer.body.dump();
  const cookie = [answer.headers['set-cookie']].flat()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`The console did not sign in: ${answer.statusCode}.`);
  return { token: cookie, headers: { cookie, ...page } };
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** Sends JSON and reads JSON. @throws Error with the answer, unless that is 200 or 204 */
export async function call<Body>(
  { origin, headers }: Pick<Server, 'origin' | 'headers'>,
  method: Method,
  path: string,
  body?: unknown,
): Promise<Body> {
  const answer = await request(origin + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (![200, 204].includes(answer.statusCode))
    throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text || 'null') as Body;
}

const mebibyte = Buffer.alloc(2 ** 20, 'image of a machine');

/** Sends an image to an address from the box registry. */
export async function sendImage(address: string, mebibytes: number): Promise<void> {
  const answer = await request(address, {
    method: 'PUT',
    headers: { 'content-length': String(mebibytes * mebibyte.length) },
    body: Readable.from(Array.from({ length: mebibytes }, () => mebibyte)),
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`The upload returned ${answer.statusCode}.`);
}
