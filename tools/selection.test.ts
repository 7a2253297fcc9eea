import { expect, it } from 'vitest';
import { serviceTests, testsMatching, testsOf } from './selection.mjs';

it('finds tests by a part of their path or title, and the tests that import a source', () => {
  expect(testsMatching(['plugins/catalog', 'reports missing sessions, empty'])).toEqual({
    files: ['e2e/tests/plugins/catalog.spec.ts', 'e2e/tests/session/sign-in.spec.ts'],
    unmatched: [],
  });
  expect(testsMatching(['tools/stamp.mjs']).files).toEqual(['tools/stamp.test.ts']);
  // A title on a line of its own, and one after the rows of an `each`.
  expect(testsMatching(['even if abandoning it failed halfway']).files).toEqual([
    'apps/bff/src/api/publish/faults.test.ts',
  ]);
  expect(testsMatching(['accepts one that stays within its argument']).files).toEqual([
    'apps/web/src/routes/$environment/modules/-usage/usage.test.ts',
  ]);
});

it("names each word that matches no test, and ignores a test's imports as titles", () => {
  expect(testsMatching(['tools/stamp.mjs', 'no test is called this', 'vitest']).unmatched).toEqual([
    'no test is called this',
    'vitest',
  ]);
});

it('counts tests that start a server or process, themselves or in a helper, as service tests', () => {
  const services = ['apps/bff/src/main.test.ts', 'apps/secrets-server/src/sys/plugins/replay.test.ts'];
  expect(serviceTests(['apps/web/src/lib/search.test.ts', ...services])).toEqual(services);
});

it('finds the tests that import a change, and the end-to-end tests of its screen or service', () => {
  const specs = (...changed: string[]) => {
    const found = testsOf(changed).filter((file) => file.startsWith('e2e/'));
    return [...new Set(found.map((file) => file.split('/')[2]))];
  };
  expect(specs('e2e/pages/plugins-page.ts')).toContain('plugins');
  expect(specs('apps/web/src/routes/$environment/-moves/TokenQuestion.tsx')).toEqual(['moves']);
  expect(specs('apps/secrets-server/src/replication/activation/activation.ts')).toEqual(['replication']);
  expect(specs('apps/box-registry/src/app.ts')).toEqual(['boxes']);
  expect(specs('apps/web/src/routes/$environment/host-sources/HostSourcesPage.tsx')).toEqual(['sources']);
  expect(specs('apps/web/src/sign-in/SignInPage.tsx')).toEqual(['session']);
  expect(specs('apps/box-registry/src/crash.test.ts')).toEqual([]);
  expect(specs('apps/web/src/lib/focus.ts')).toEqual([]);
  expect(testsOf(['apps/web/src/lib/focus.ts'])).toContain('apps/web/src/lib/focus.test.tsx');
  expect(testsOf(['apps/box-registry/src/testing/server-process.ts'])).toContain(
    'apps/box-registry/src/crash.test.ts',
  );
});
