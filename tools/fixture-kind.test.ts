import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Generator, getConfig } from '@tanstack/router-generator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDirections } from './directions.mjs';
import { addedBy, copyHouse, plant } from './fixture-kind.mjs';
import { runProgram } from './steps.mjs';

// The machine may be busy: only a step that never ends should fail for its time.
const patience = 600_000;
const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'gatehouse-fixture-kind-'));
const added = [...addedBy('kind'), ...addedBy('action')];
const service = 'apps/access-controller/';
const screens = ['', '/new', '/$id', '/$id/edit'];
const isTest = ({ file }: { file: string }) => /\.(test|spec)\.ts$|^apps\/bff\/test\//.test(file);

beforeAll(() => {
  copyHouse(folder);
  plant(folder, 'kind');
  plant(folder, 'action');
}, patience);
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Runs a program of a package in the copy, not as a part of this run. */
function run(bin: string, ...args: string[]) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const program = path.join(folder, 'node_modules', ...bin.split('/'));
  return runProgram(process.execPath, [program, ...args], { cwd: folder, env: Object.fromEntries(own) });
}
const passed = { ok: true, output: expect.any(String) };
/** Working on the copy takes minutes. The usual run only shows that everything can still be planted. */
const isDeep = process.env['GATEHOUSE_DEEP'] === '1';

/** How many lines it adds outside its service and its tests, by file. */
function sizes(part: 'kind' | 'action') {
  const lines = new Map<string, number>();
  for (const one of addedBy(part)) {
    if (one.file.startsWith(service) || isTest(one)) continue;
    lines.set(one.file, (lines.get(one.file) ?? 0) + one.lines.length);
  }
  const sum = [...lines.values()].reduce((total, count) => total + count, 0);
  const table = [...lines, ['in all', sum] as const].map(
    ([file, count]) => `${count}`.padStart(5) + `  ${file}`,
  );
  process.stdout.write(`Lines of the fixture's ${part}:\n${table.join('\n')}\n`);
  return { sum, files: lines.size };
}

test('a kind with five operations and its screens takes less than 300 lines outside its service', () => {
  expect(sizes('kind').sum).toBeLessThan(300);
});

test('one more operation is named in at most six places', () => {
  expect(sizes('action').files).toBeLessThanOrEqual(6);
});

test.runIf(isDeep)('it keeps the directions of imports', { timeout: patience }, async () => {
  expect(await checkDirections(folder)).toEqual(passed);
});

/** Writes the route tree of the copy, as the build of its page does. */
async function generateRoutes() {
  const home = path.join(folder, 'apps', 'web');
  await new Generator({ config: getConfig({}, home), root: home }).run();
}

test.runIf(isDeep)(
  'its screens are routes, and it is formatted, passes the lint and its types fit',
  { timeout: patience },
  async () => {
    await generateRoutes();
    const routes = fs.readFileSync(path.join(folder, 'apps/web/src/routeTree.gen.ts'), 'utf8');
    for (const screen of screens) expect(routes).toContain(`'/$environment/webhooks${screen}/'`);
    const files = [...new Set(added.map(({ file }) => file))];
    expect(await run('oxfmt/bin/oxfmt', '--check', ...files)).toEqual(passed);
    expect(await run('oxlint/bin/oxlint', '--type-aware', '--type-check', ...files)).toEqual(passed);
  },
);

test.runIf(isDeep)(
  'its operations answer through the BFF as the contract says',
  { timeout: patience },
  async () => {
    const tests = [
      'apps/bff/src/api/access/webhooks',
      'apps/bff/src/http/recording.test.ts',
      'packages/api-types/src/console/contract.test.ts',
      'packages/api-types/src/console/secret-members.test.ts',
    ];
    expect(await run('vitest/vitest.mjs', 'run', ...tests)).toEqual(passed);
  },
);

test.runIf(isDeep)('its service keeps the rules of every kind', { timeout: patience }, async () => {
  const tests = ['resource/resource.test.ts', 'roles.test.ts'].map((file) => `${service}src/http/${file}`);
  expect(await run('vitest/vitest.mjs', 'run', ...tests, '-t', 'webhooks|authorized actions')).toEqual(
    passed,
  );
});

test.runIf(isDeep)(
  'with it all types fit, and its screens are built and driven in Chromium',
  { timeout: patience },
  async () => {
    const build =
      "const { buildStale } = await import('./tools/build.mjs'); if (!buildStale()) process.exitCode = 1;";
    expect(await runProgram(process.execPath, ['-e', build], { cwd: folder })).toEqual(passed);
    const pages = fs.readFileSync(path.join(folder, 'apps/web/dist/.vite/first-visits.json'), 'utf8');
    for (const screen of screens) expect(pages).toContain(`"/$environment/webhooks${screen}"`);
    for (const project of ['tsconfig.json', 'apps/web/tsconfig.json']) {
      expect(await run('typescript/bin/tsc', '-p', project)).toEqual(passed);
    }
    const config = ['--config', 'e2e/playwright.config.ts'];
    expect(
      await run(
        '@playwright/test/cli.js',
        'test',
        ...config,
        'tests/webhooks',
        'tests/page/first-visit.spec.ts',
      ),
    ).toEqual(passed);
  },
);
