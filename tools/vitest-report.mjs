import fs from 'node:fs';
import path from 'node:path';
import { root } from './folders.mjs';
import { errorText } from './reports.mjs';

/** A vitest reporter that writes each outcome to the file of GATEHOUSE_VITEST_REPORT. */
export default class VitestReport {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    /** @type {import('./reports.mjs').Outcome[]} */
    const outcomes = modules.flatMap((module) => {
      const file = path.relative(root, module.moduleId);
      const outside = [
        { title: '', errors: module.errors() },
        ...[...module.children.allSuites()].map((suite) => ({
          title: suite.fullName,
          errors: suite.errors(),
        })),
      ]
        .filter(({ errors }) => errors.length > 0)
        .map(({ title, errors }) => ({ file, title, ...failed(errors), isTest: false }));
      const tests = [...module.children.allTests()].map((test) => {
        const { state, errors } = test.result();
        const title = test.fullName;
        return state === 'failed'
          ? { file, title, ...failed(errors), isTest: true }
          : { file, title, ...(state === 'passed' ? passed : skipped) };
      });
      return [...outside, ...tests];
    });
    outcomes.push(...unhandled.map(outsideOfTests));
    const times = Object.fromEntries(
      modules.map((module) => {
        const { duration, collectDuration } = module.diagnostic();
        return [path.relative(root, module.moduleId), duration + collectDuration];
      }),
    );
    fs.writeFileSync(process.env['GATEHOUSE_VITEST_REPORT'] ?? '', JSON.stringify({ outcomes, times }));
  }
}

/**
 * An error outside tests. It belongs to no file: vitest names the file that ran, but a timer of an earlier one may be
 * the cause, whose tests would not run again.
 * @param {import('vitest').SerializedError} error
 * @returns {import('./reports.mjs').Outcome}
 */
export function outsideOfTests(error) {
  const test = error['VITEST_TEST_PATH'];
  const during = typeof test === 'string' ? ` while ${path.relative(root, test)} ran` : '';
  return { file: '', title: `outside of tests${during}`, ...failed([error]), isTest: false };
}

const passed = /** @type {const} */ ({ state: 'passed', error: '', isTest: true });
const skipped = /** @type {const} */ ({ state: 'skipped', error: '', isTest: true });

/** @param {readonly import('./reports.mjs').Failure[]} errors */
function failed(errors) {
  return {
    state: /** @type {const} */ ('failed'),
    error: errors.map(errorText).join('\n'),
  };
}
