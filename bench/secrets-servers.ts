import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { configurationText, password, signInToConsole } from './console.ts';
import { freePorts, processes, ready, type Metered, type Processes } from './processes.ts';

/** Something that answers requests, in a process of its own. */
export interface Server {
  readonly origin: string;
  readonly server: Metered;
}

/** The secrets server and what it is compared with. */
export interface SecretsServers extends AsyncDisposable {
  /** Where the data are. */
  readonly folder: string;
  readonly secrets: Server;
  /** A token of the secrets server, of a person's sign-in. */
  readonly token: string;
  readonly console: Server;
  /** The session at the console. */
  readonly cookie: string;
  /** Starts a bare HTTP server that answers `body` to everything. */
  startBare(body: string): Promise<Server>;
}

/** Starts the secrets server and the console's server, each in a process and with a folder of its own. */
export async function startSecrets(): Promise<SecretsServers> {
  await using started = new AsyncDisposableStack();
  const running = started.use(await processes());
  const { folder } = running;
  const port = await freePorts('secrets', 'console');
  const secrets: Server = {
    origin: `http://127.0.0.1:${port.secrets}`,
    server: running.start(['apps/secrets-server/src/main.ts'], {
      GATEHOUSE_DATA: join(folder, 'secrets'),
      GATEHOUSE_SECRETS_PORT: String(port.secrets),
      GATEHOUSE_ADMIN_PASSWORD: password,
    }),
  };
  const config = join(folder, 'gatehouse.yaml');
  await writeFile(config, configurationText('secrets', secrets.origin));
  const console_: Server = {
    origin: `http://127.0.0.1:${port.console}`,
    server: running.start(['apps/bff/src/main.ts'], {
      GATEHOUSE_CONFIG: config,
      GATEHOUSE_DATA: join(folder, 'console'),
      GATEHOUSE_PORT: String(port.console),
    }),
  };
  await ready(`${secrets.origin}/v1/sys/health`);
  await ready(`${console_.origin}/healthz`);
  const token = await signInDirectly(secrets.origin);
  const cookie = await signInToConsole(console_.origin, 'secrets');
  const kept = started.move();
  return {
    folder,
    secrets,
    token,
    console: console_,
    cookie,
    startBare: (body) => startBare(running, body),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function startBare(running: Processes, body: string): Promise<Server> {
  const { bare } = await freePorts('bare');
  const file = join(running.folder, `answer-${bare}`);
  await writeFile(file, body);
  const origin = `http://127.0.0.1:${bare}`;
  const server = running.start(['bench/bare-server.ts', String(bare), file]);
  await ready(origin);
  return { origin, server };
}

async function signInDirectly(origin: string): Promise<string> {
  const answer = await request(`${origin}/v1/auth/userpass/login/admin`, {
    method: 'POST',
    body: JSON.stringify({ password }),
  });
  const body = (await answer.body.json()) as { auth: { client_token: string } };
  return body.auth.client_token;
}
