import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { boundaryController, boundaryPassword, type BoundaryController } from '#test/boundary-controller.ts';
import { browser } from '#test/browser.ts';
import { configurationFor, startConsoleProcess, type ConsoleProcess } from '#test/console-process.ts';
import { signInAs } from '#test/console.ts';
import { startPostgres } from '#test/postgres.ts';

// A process starts within a second, or a minute if the machine is busy.
const slow = { timeout: 300_000 };
const postgres = await startPostgres();
afterAll(() => postgres?.close());
let folder: TemporaryFolder;
let controller: BoundaryController;
let running: ConsoleProcess | undefined;

beforeEach(async () => {
  folder = temporaryFolder();
  controller = await boundaryController();
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await controller.close();
  folder[Symbol.dispose]();
});

function start(configuration: string, variables: Record<string, string> = {}): ConsoleProcess {
  running = startConsoleProcess(folder, configuration, variables);
  return running;
}

test('answers requests in progress after SIGTERM, then exits with 0', slow, async () => {
  const console = start(configurationFor(controller.url));
  const page = browser(await console.origin());
  await signInAs(page, 'admin', boundaryPassword);
  expect((await page.send('GET', '/healthz')).json).toEqual({ status: 'ok' });
  const waiting: (() => void)[] = [];
  const allWait = Promise.withResolvers<void>();
  controller.intercept = (_req, res) => {
    waiting.push(() =>
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"response_type":"complete"}'),
    );
    if (waiting.length === 8) allWait.resolve();
    return true;
  };
  const answers = Array.from({ length: 8 }, () =>
    page.send('GET', '/api/environments/test/access/targets?scope_id=global&recursive=true'),
  );
  await allWait.promise;
  console.kill('SIGTERM');
  await console.printed(/stopping/);
  for (const answer of waiting) answer();
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
  expect(await console.ended).toEqual([0, null]);
  await expect(page.send('GET', '/healthz')).rejects.toThrow();
  await page.close();
  expect(console.output.stderr).toBe('');
});

test('refuses to start with the SQLite folder of another console', slow, async () => {
  const text = configurationFor(controller.url);
  await start(text).origin();
  const { output, ended } = startConsoleProcess(folder, text);
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).toMatch(/is in use by another process \(PID \d+\)\.\n$/);
});

test.each([
  [
    'a configuration that exposes it',
    `console: {host: 0.0.0.0}\n${configurationFor('http://127.0.0.1:1')}`.replace('console: {port: 0}\n', ''),
    {},
    /isn't a loopback address, so the console needs/,
  ],
  [
    'a file that is not there',
    '',
    { GATEHOUSE_CONFIG: '/nowhere/gatehouse.yaml' },
    /can't be read: \/nowhere\/gatehouse\.yaml \(ENOENT\)/,
  ],
  [
    'a bad variable',
    configurationFor('http://127.0.0.1:1'),
    { GATEHOUSE_PORT: 'x' },
    /GATEHOUSE_PORT is "x"/,
  ],
  ['a bad key ring', configurationFor('http://127.0.0.1:1'), { GATEHOUSE_KEYS: 'x' }, /GATEHOUSE_KEYS/],
  [
    'a data folder that cannot be made',
    configurationFor('http://127.0.0.1:1'),
    { GATEHOUSE_DATA: '/dev/null/x' },
    /\/dev\/null\/x/,
  ],
  [
    'a key file in a folder that is not there',
    `keys: {file: /nowhere/keys.json}\n${configurationFor('http://127.0.0.1:1')}`,
    {},
    /key ring \/nowhere\/keys\.json cannot be read or created: its folder is missing\./,
  ],
  [
    'a PostgreSQL that does not listen',
    `database: {url: 'postgres://console@localhost:1/console'}\n${configurationFor('http://127.0.0.1:1')}`,
    {},
    /^database\.url: PostgreSQL can't be used: connect ECONNREFUSED \S+:1\.\n$/,
  ],
] as [string, string, Record<string, string>, RegExp][])(
  'reports %s in one line, and exits with 1',
  slow,
  async (_what, text, variables, line) => {
    const { output, ended } = start(text, variables);
    expect(await ended).toEqual([1, null]);
    expect(output.stderr).toMatch(line);
    expect(output.stderr.trim().split('\n')).toHaveLength(1);
  },
);

test.runIf(postgres !== undefined).each([
  ['a wrong password', 'guarded', '/postgres', 'password authentication failed for user "guarded"'],
  ['a missing database', 'console', '/gone', 'database "gone" does not exist'],
])('reports PostgreSQL with %s in one line, and exits with 1', slow, async (_what, user, name, why) => {
  const url = (await postgres?.database())?.replace('console@', `${user}@`).replace(/\/console_\d+/, name);
  const text = `database: {url: '${url}'}\n${configurationFor('http://127.0.0.1:1')}`;
  const { output, ended } = start(text, { PGPASSWORD: 'wrong' });
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).toBe(`database.url: PostgreSQL can't be used: ${why}.\n`);
});
