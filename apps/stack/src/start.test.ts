import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let dataDir: string;
const children = new Set<ChildProcess>();
/** A log line at level warn or above, or any line that mentions an error. */
const attention = /"level":[456]0|Error/;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-start-'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

/** Starts the console from its sources, like `npm start`. */
function launch(variables: Record<string, string> = {}, mode = 'start') {
  const entry = new URL('start.ts', import.meta.url).href;
  const script = `const { start } = await import(${JSON.stringify(entry)});
    await start({ mode: ${JSON.stringify(mode)}, root: ${JSON.stringify(dataDir)} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      TMPDIR: dataDir,
      GATEHOUSE_DATA: 'data',
      GATEHOUSE_PORT: '0',
      GATEHOUSE_ACCESS_PORT: '0',
      GATEHOUSE_SECRETS_PORT: '0',
      GATEHOUSE_SECRETS_CLUSTER_PORT: '0',
      GATEHOUSE_BOXES_PORT: '0',
      GATEHOUSE_MODULES_PORT: '0',
      ...variables,
    },
  });
  children.add(child);
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = once(child, 'close').then(([code]) => Number(code));
  /**
   * Resolves once the process has printed a text; rejects if it ends before. Has no deadline, since speed depends on
   * the machine.
   */
  const printed = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (said.out.includes(text)) resolve();
      };
      child.stdout.on('data', look);
      look();
      void ended.then((code) =>
        reject(new Error(`It ended with ${code} before it printed ${text}: ${said.out}${said.err}`)),
      );
    });
  const ready = async (): Promise<string> => {
    await printed('Ctrl+C');
    return /Console +(\S+)/.exec(said.out)?.[1] ?? '';
  };
  return { child, said, ended, printed, ready };
}

/** Listens on a port; does nothing if another program already does. */
function occupy(port: number): Promise<net.Server> {
  const server = net.createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(server) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

describe('npm start', { timeout: 300_000 }, () => {
  it('prints its addresses and how to sign in, and the password only once', async () => {
    const first = launch();
    const url = await first.ready();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const kept = fs.readFileSync(path.join(dataDir, 'data', 'admin-password'), 'utf8').trim();
    expect(first.said.out).toContain(`${kept} (kept in`);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    // Requests are logged, without warnings and errors.
    expect(first.said.err).toMatch(/"service":"access"/);
    expect(first.said.err).not.toMatch(attention);

    const second = launch();
    await second.ready();
    expect(second.said.out).not.toContain(kept);
    expect(second.said.out).toContain(path.join('data', 'admin-password'));
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  it('finishes pending requests before it exits', async () => {
    const { child, ended, ready } = launch();
    const url = await ready();
    const under = Array.from({ length: 50 }, async () => (await fetch(`${url}/healthz`)).status);
    await Promise.any(under);
    child.kill('SIGTERM');
    const answers = await Promise.allSettled(under);
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(await ended).toBe(0);
    // A connection that isn't accepted yet is refused; an accepted one gets its answer.
    expect(answers.length - refused.length).toBeGreaterThan(0);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') expect([200, 503]).toContain(answer.value);
    }
  });

  it.each([
    [{ GATEHOUSE_PORT: 'eighty' }, /^GATEHOUSE_PORT is "eighty"[^\n]*\n$/],
    [{ GATEHOUSE_HOST: '192.0.2.1' }, /^[^\n]*isn't a loopback address[^\n]*\n$/],
    [
      {
        GATEHOUSE_MODULES_S3_BUCKET: 'archives',
        GATEHOUSE_MODULES_S3_ENDPOINT: 'http://127.0.0.1:9',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      },
      /^GATEHOUSE_MODULES_S3_BUCKET is "archives"[^\n]*\n$/,
    ],
    [{ GATEHOUSE_CONFIG: 'missing.yaml' }, /^[^\n]*missing\.yaml[^\n]*\n$/],
    [{ GATEHOUSE_DATA: '/dev/null/data' }, /^Can't write to the data folder \/dev\/null\/data: [^\n]*\n$/],
  ])('explains in one line what is wrong with %o', async (variables, line) => {
    const { said, ended } = launch(variables);
    expect(await ended).toBe(1);
    expect(said.err).toMatch(line);
    expect(said.out).toBe('');
  });

  it.each([
    ["database: {url: 'postgres://console@127.0.0.1:1/console'}", /^database\.url: PostgreSQL [^\n]*:1\.\n$/],
    ['keys: {file: missing/keys.json}', /^The key ring [^\n]*missing\/keys\.json [^\n]*\n$/],
    [
      'console: {tls: {cert: console.yaml, key: console.yaml}}',
      /^\S*console\.yaml:1: console\.tls: [^\n]*\n$/,
    ],
  ])('explains in one line what is wrong with the configuration %s', async (setting, line) => {
    fs.writeFileSync(
      path.join(dataDir, 'console.yaml'),
      `${setting}\nenvironments: [{id: a, name: A, kind: production, services: {access: {url: 'http://127.0.0.1:9'}}}]\n`,
    );
    const { said, ended } = launch({ GATEHOUSE_CONFIG: 'console.yaml' });
    expect(await ended).toBe(1);
    expect(said.err).toMatch(line);
    expect(said.out).toBe('');
  });

  it.each(['console', 'accounts', 'access-controller', 'secrets-server', 'box-registry', 'module-registry'])(
    "explains in one line that %s.db can't be opened",
    async (name) => {
      const file = path.join(dataDir, 'data', `${name}.db`);
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      fs.writeFileSync(file, 'not a database, '.repeat(100));
      const { said, ended } = launch();
      expect(await ended).toBe(1);
      expect(said.err).toBe(`The database ${file} can't be used: file is not a database.\n`);
    },
  );

  it('administers the services of a configuration file without starting its own', async () => {
    fs.writeFileSync(
      path.join(dataDir, 'console.yaml'),
      `environments:
  - id: production
    name: Production
    kind: production
    services:
      access:
        url: http://127.0.0.1:9
`,
    );
    const { child, said, ended, ready } = launch({ GATEHOUSE_CONFIG: 'console.yaml' });
    const url = await ready();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(said.out).not.toMatch(/Access API|Sign in as/);
    expect(fs.readdirSync(path.join(dataDir, 'data'))).not.toContain('admin-password');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('stops on request while it still starts', async () => {
    const { child, ended, printed } = launch({}, 'demo');
    await printed('Preparing');
    // The demo has its own folder, which it deletes.
    expect(fs.readdirSync(dataDir)).toContainEqual(expect.stringMatching(/^gatehouse-demo-/));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });

  it('starts beside programs on its default ports if given other ports', async () => {
    const defaults = [8080, 8200, 8201, 8300, 8400, 9200];
    const others = await Promise.all(defaults.map((port) => occupy(port)));
    const { child, ended, ready } = launch();
    expect((await fetch(`${await ready()}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    for (const other of others) other.close();
  });

  it('ends the demo when its output is closed', async () => {
    const { child, ended } = launch({}, 'demo');
    child.stdout.destroy();
    expect(await ended).toBe(0);
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });

  it.each(['start', 'demo'] as const)('reports a taken port in one line, and ends: %s', async (mode) => {
    const other = await occupy(0);
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { said, ended } = launch({ GATEHOUSE_PORT: port }, mode);
    expect(await ended).toBe(1);
    expect(said.err).toMatch(
      new RegExp(`^127\\.0\\.0\\.1 port ${port} is in use[^\\n]*GATEHOUSE_PORT[^\\n]*\\n$`),
    );
    other.close();
  });

  it('refuses an invalid configuration file, naming the line', async () => {
    fs.writeFileSync(
      path.join(dataDir, 'console.yaml'),
      'environments:\n  - id: production\n    color: red\n',
    );
    const { said, ended } = launch({ GATEHOUSE_CONFIG: 'console.yaml' });
    expect(await ended).toBe(1);
    expect(said.err).toMatch(/^[^\n]*console\.yaml:\d+: [^\n]*\n$/);
  });
});
