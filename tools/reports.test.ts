import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlaywrightReport, readVitestReport } from './reports.mjs';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-reports-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

function write(report: unknown): string {
  const file = path.join(folder, 'report.json');
  fs.writeFileSync(file, JSON.stringify(report));
  return file;
}

describe('the sum of the tests', () => {
  it('counts what vitest ran, and a file that could not be loaded as a failure', () => {
    const file = write({
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        {
          name: 'a.test.ts',
          status: 'passed',
          assertionResults: [{ status: 'passed', fullName: 'it holds' }],
        },
        {
          name: 'b.test.ts',
          status: 'failed',
          assertionResults: [
            {
              status: 'failed',
              fullName: 'it breaks',
              failureMessages: ['\u001B[31mError\u001B[39m: 1 is not 2\n at b'],
            },
          ],
        },
        { name: 'c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    });
    expect(readVitestReport(file)).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
      failures: ['b.test.ts › it breaks\n    Error: 1 is not 2\n     at b', 'c.test.ts\n    no such module'],
    });
  });

  it('counts a flaky end-to-end test and an error outside of tests as failures', () => {
    const ran = (title: string, status: string, ...errors: string[]) => ({
      title,
      file: 'd.spec.ts',
      tests: [{ status, results: [{ errors: errors.map((message) => ({ message })) }] }],
    });
    const file = write({
      stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 },
      suites: [
        {
          specs: [ran('it holds', 'expected')],
          suites: [
            { specs: [ran('it breaks', 'unexpected', 'too late'), ran('it wavers', 'flaky', 'once')] },
          ],
        },
      ],
      errors: [{ message: 'no port' }],
    });
    expect(readPlaywrightReport(file)).toEqual({
      passed: 5,
      failed: 3,
      skipped: 2,
      failures: [
        'd.spec.ts › it breaks\n    too late',
        'd.spec.ts › it wavers\n    once',
        'outside of tests\n    no port',
      ],
    });
  });

  it('is nothing where there is no report', () => {
    const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] };
    expect(readVitestReport(path.join(folder, 'missing.json'))).toEqual(nothing);
    expect(readPlaywrightReport(path.join(folder, 'missing.json'))).toEqual(nothing);
  });
});
