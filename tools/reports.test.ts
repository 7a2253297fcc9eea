import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from './folders.mjs';
import {
  errorText,
  lastLines,
  mergeRuns,
  readPlaywrightReport,
  readVitestReport,
  timeLines,
  type Outcome,
} from './reports.mjs';
import { outsideOfTests } from './vitest-report.mjs';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-reports-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

function outcome(title: string, state: Outcome['state'], error = '', of: Partial<Outcome> = {}): Outcome {
  return { file: 'a.test.ts', title, state, error, isTest: true, ...of };
}

describe('the last lines of a run', () => {
  it('list flaky tests, failures with their errors, how to run them again, and the totals', () => {
    const outcomes = [
      outcome('it holds', 'passed'),
      outcome('it is not run', 'skipped'),
      outcome('it wavers', 'flaky', 'too late'),
      outcome('it breaks', 'failed', '\u001B[31mError\u001B[39m: 1 is not 2\n at b'),
      outcome('it breaks too', 'failed', 'as well'),
      outcome('', 'failed', 'no such module', { file: '$id/b.test.ts', isTest: false }),
      outcome('outside of tests', 'failed', 'no port', { file: '', isTest: false }),
      outcome('hook', 'flaky', 'no port', { isTest: false }),
    ];
    expect(lastLines(outcomes, ['The build failed.'])).toBe(`flaky: a.test.ts › it wavers
    too late
flaky: a.test.ts › hook
    no port
✗ a.test.ts › it breaks
    Error: 1 is not 2
     at b
✗ a.test.ts › it breaks too
    as well
✗ $id/b.test.ts
    no such module
✗ outside of tests
    no port
✗ The build failed.
Run again what failed: npm test -- a.test.ts '$id/b.test.ts'
2 passed, 4 failed, 1 skipped
`);
  });
});

it("shows an error's place in the repository, the difference, and its cause", () => {
  const stack = `Error: Property failed after 1 tests
    at buildError (file:///gatehouse/node_modules/fast-check/lib/fast-check.js:2469:16)
    at new Promise (<anonymous>)
    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)
    at /gatehouse/apps/web/src/lib/search.test.ts:27:5`;
  const cause = { message: 'expected 1 to be 2', diff: '- 2\n+ 1' };
  expect(errorText({ message: '', stack, cause })).toBe(`Error: Property failed after 1 tests
    at /gatehouse/apps/web/src/lib/search.test.ts:27:5
Caused by: expected 1 to be 2
- 2
+ 1`);
});

it('show where the time went: the 15 slowest files, and each stage', () => {
  const times = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.test.ts`, at * 1000]));
  const lines = timeLines(times, [
    { name: 'check', ms: 30_000 },
    { name: 'end to end', ms: 420_400 },
  ]).split('\n');
  expect(lines).toHaveLength(18);
  expect(lines.slice(0, 2)).toEqual(['Slowest files:', '   19.0 s  19.test.ts']);
  expect(lines.slice(-2)).toEqual(['Time: check 30.0 s, end to end 420.4 s', '']);
});

describe('a second run of some files', () => {
  const merged = (first: Outcome[], second: Outcome[]): [string, string, string][] =>
    mergeRuns(first, second).map(({ title, state, error }) => [title, state, error]);

  it('counts as flaky what failed in one run and passed in the other', () => {
    expect(
      merged(
        [
          outcome('late', 'failed', 'the first time'),
          outcome('broken', 'failed', 'the first time'),
          outcome('good', 'passed'),
          outcome('twice', 'passed'),
          outcome('twice', 'failed', 'one of two'),
          outcome('elsewhere', 'failed', 'not run again', { file: 'b.test.ts' }),
        ],
        [
          outcome('late', 'passed'),
          outcome('broken', 'failed', 'the second time'),
          outcome('good', 'failed', 'the second time'),
          outcome('twice', 'passed'),
          outcome('twice', 'passed'),
        ],
      ),
    ).toEqual([
      ['late', 'flaky', 'the first time'],
      ['broken', 'failed', 'the first time'],
      ['good', 'flaky', 'the second time'],
      ['twice', 'passed', ''],
      ['twice', 'flaky', 'one of two'],
      ['elsewhere', 'failed', 'not run again'],
    ]);
  });

  it('counts the tests of a hook or file that failed only the first time', () => {
    const hook = outcome('server', 'failed', 'no port', { isTest: false });
    expect(
      merged(
        [hook, outcome('of the server', 'skipped')],
        [outcome('of the server', 'passed'), outcome('of a file', 'passed')],
      ),
    ).toEqual([
      ['server', 'flaky', 'no port'],
      ['of the server', 'passed', ''],
      ['of a file', 'passed', ''],
    ]);
    expect(merged([hook], [hook])).toEqual([['server', 'failed', 'no port']]);
    expect(merged([outcome('left out', 'failed', 'first')], [{ ...hook, title: '' }])).toEqual([
      ['left out', 'failed', 'first'],
      ['', 'failed', 'no port'],
    ]);
  });

  it('never excuses an error outside tests', () => {
    const error = { message: 'from a timer', VITEST_TEST_PATH: inRoot('a.test.ts') };
    expect(merged([outsideOfTests(error), outcome('good', 'passed')], [outcome('good', 'passed')])).toEqual([
      ['outside of tests while a.test.ts ran', 'failed', 'from a timer'],
      ['good', 'passed', ''],
    ]);
  });

  it('never excuses a property in either run, or a timeout in a file with properties', () => {
    const property = outcome('holds', 'failed', 'Error: Property failed after 3 tests\n{ seed: 1 }');
    const passed = outcome('holds', 'passed');
    expect(merged([property], [passed])).toEqual([['holds', 'failed', property.error]]);
    expect(merged([passed], [property])).toEqual([['holds', 'failed', property.error]]);
    const late = 'Error: Test timed out in 60000ms.';
    for (const [file, state] of [
      ['packages/service-kit/src/json-scan.test.ts', 'failed'],
      ['tools/stamp.test.ts', 'flaky'],
    ] as const) {
      expect(
        merged([outcome('late', 'failed', late, { file })], [outcome('late', 'passed', '', { file })]),
      ).toEqual([['late', state, late]]);
    }
  });
});

describe('the report of Playwright', () => {
  it('says how a test failed the first time that passed the second time', () => {
    const ran = (title: string, status: string, ...errors: string[]) => ({
      title,
      file: 'd.spec.ts',
      tests: [
        {
          status,
          results: [
            { duration: 10, errors: errors.map((message) => ({ message })) },
            { duration: 10, errors: status === 'flaky' ? [] : [{ message: 'the second time' }] },
          ],
        },
      ],
    });
    const file = path.join(folder, 'report.json');
    const report = {
      suites: [
        {
          specs: [ran('it holds', 'expected')],
          suites: [
            {
              specs: [
                ran('it breaks', 'unexpected', 'too late'),
                ran('it wavers', 'flaky', 'once'),
                ran('it is not run', 'skipped'),
              ],
            },
          ],
        },
      ],
      errors: [{ message: 'no port' }],
    };
    fs.writeFileSync(file, JSON.stringify(report));
    const own = { file: 'e2e/tests/d.spec.ts' };
    const { outcomes, times } = readPlaywrightReport(file);
    expect(outcomes).toEqual([
      outcome('it holds', 'passed', '', own),
      outcome('it breaks', 'failed', 'too late', own),
      outcome('it wavers', 'flaky', 'once', own),
      outcome('it is not run', 'skipped', '', own),
      outcome('outside of tests', 'failed', 'no port', { file: '', isTest: false }),
    ]);
    expect(times).toEqual({ 'e2e/tests/d.spec.ts': 80 });
  });
});

it('is empty without a report', () => {
  const none = { outcomes: [], times: {} };
  expect(readVitestReport(path.join(folder, 'missing.json'))).toEqual(none);
  expect(readPlaywrightReport(path.join(folder, 'missing.json'))).toEqual(none);
});
