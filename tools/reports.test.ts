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
        { status: 'passed', assertionResults: [{ status: 'passed' }] },
        { status: 'failed', assertionResults: [{ status: 'failed' }] },
        { status: 'failed', assertionResults: [] },
      ],
    });
    expect(readVitestReport(file)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  it('counts a flaky end-to-end test and an error outside of tests as failures', () => {
    const file = write({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{}] });
    expect(readPlaywrightReport(file)).toEqual({ passed: 5, failed: 3, skipped: 2 });
  });

  it('is nothing where there is no report', () => {
    const nothing = { passed: 0, failed: 0, skipped: 0 };
    expect(readVitestReport(path.join(folder, 'missing.json'))).toEqual(nothing);
    expect(readPlaywrightReport(path.join(folder, 'missing.json'))).toEqual(nothing);
  });
});
