import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boundaryController, boundaryPassword, type BoundaryController } from '#test/boundary-controller.ts';
import { browser } from '#test/browser.ts';
import { signInAs } from '#test/console.ts';

const main = new URL('./main.ts', import.meta.url).pathname;
let folder: TemporaryFolder;
let controller: BoundaryController;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = temporaryFolder();
  controller = await boundaryController();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await controller.close();
  folder[Symbol.dispose]();
});

function start(configuration: string, variables: Record<string, string> = {}) {
  writeFileSync(folder.file('gatehouse.yaml'), configuration);
  const started = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GATEHOUSE_CONFIG: folder.file('gatehouse.yaml'),
      GATEHOUSE_DATA: folder.file('data'),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const output = { stdout: '', stderr: '' };
  started.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  started.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return { started, output, exit: once(started, 'exit') as Promise<[number | null, string | null]> };
}

const configuration = (url: string): string =>
  `console: {port: 0}\nenvironments: [{id: test, name: Test, kind: development, services: {access: {url: '${url}'}}}]\n`;

test('SIGTERM under load: what was begun is answered, then it exits by itself with 0', async () => {
  const { started, output, exit } = start(configuration(controller.url));
  await expect
    .poll(() => /"address":"(http:[^"]+)"/.exec(output.stdout)?.[1], { timeout: 20_000 })
    .toBeDefined();
  const origin = /"address":"(http:[^"]+)"/.exec(output.stdout)?.[1] ?? '';
  const page = browser(origin);
  await signInAs(page, 'admin', boundaryPassword);
  expect((await page.send('GET', '/healthz')).json).toEqual({ status: 'ok' });
  const waiting: (() => void)[] = [];
  controller.intercept = (_req, res) => {
    waiting.push(() =>
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"response_type":"complete"}'),
    );
    return true;
  };
  const answers = Array.from({ length: 8 }, () =>
    page.send('GET', '/api/environments/test/access/targets?scope_id=global&recursive=true'),
  );
  await expect.poll(() => waiting.length).toBe(8);
  started.kill('SIGTERM');
  await expect.poll(() => output.stdout).toContain('stopping');
  for (const answer of waiting) answer();
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
  expect(await exit).toEqual([0, null]);
  await expect(page.send('GET', '/healthz')).rejects.toThrow();
  await page.close();
  expect(output.stderr).toBe('');
});

test.each([
  [
    'a configuration that exposes it',
    `console: {host: 0.0.0.0}\n${configuration('http://127.0.0.1:1')}`.replace('console: {port: 0}\n', ''),
    {},
    /off loopback the console needs/,
  ],
  [
    'a file that is not there',
    '',
    { GATEHOUSE_CONFIG: '/nowhere/gatehouse.yaml' },
    /cannot be read: \/nowhere\/gatehouse\.yaml \(ENOENT\)/,
  ],
  ['a bad variable', configuration('http://127.0.0.1:1'), { GATEHOUSE_PORT: 'x' }, /GATEHOUSE_PORT is "x"/],
  ['a bad key ring', configuration('http://127.0.0.1:1'), { GATEHOUSE_KEYS: 'x' }, /GATEHOUSE_KEYS/],
  [
    'a data folder that cannot be made',
    configuration('http://127.0.0.1:1'),
    { GATEHOUSE_DATA: '/dev/null/x' },
    /\/dev\/null\/x/,
  ],
] as [string, string, Record<string, string>, RegExp][])(
  '%s: one line, and exit 1',
  async (_what, text, variables, line) => {
    const { output, exit } = start(text, variables);
    expect(await exit).toEqual([1, null]);
    expect(output.stderr).toMatch(line);
    expect(output.stderr.trim().split('\n')).toHaveLength(1);
  },
);
