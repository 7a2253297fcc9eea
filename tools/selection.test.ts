import { expect, it } from 'vitest';
import { root } from './folders.mjs';
import { readImports, readSources } from './imports.mjs';
import { testsMatching, testsOf } from './selection.mjs';

it('finds tests by a part of their path or title, and of a source those that import it', () => {
  expect(testsMatching(['plugins/catalog', 'to strangers, of empty'])).toEqual([
    'e2e/tests/plugins/catalog.spec.ts',
    'e2e/tests/session/sign-in.spec.ts',
  ]);
  expect(testsMatching(['tools/stamp.mjs'])).toEqual(['tools/stamp.test.ts']);
  // Titles that begin a line of their own, or follow cases.
  expect(testsMatching(['is put in words: %s'])).toEqual(['apps/web/src/lib/missing-chunk.test.tsx']);
  expect(testsMatching(['no test is called this'])).toEqual([]);
});

it('finds the tests of a change: what imports it, and the end-to-end tests of its screen or service', () => {
  const sources = readSources(root);
  const imports = readImports(root, sources);
  const specs = (...changed: string[]) => {
    const found = testsOf(changed, sources, imports).filter((file) => file.startsWith('e2e/'));
    return [...new Set(found.map((file) => file.split('/')[2]))];
  };
  expect(specs('e2e/pages/plugins-page.ts')).toContain('plugins');
  expect(specs('apps/web/src/routes/$environment/-moves/TokenQuestion.tsx')).toEqual(['moves']);
  expect(specs('apps/secrets-server/src/replication/activation.ts')).toEqual(['replication']);
  expect(specs('apps/box-registry/src/app.ts')).toEqual(['boxes']);
  expect(specs('apps/web/src/lib/focus.ts')).toEqual([]);
  expect(testsOf(['apps/web/src/lib/focus.ts'], sources, imports)).toContain(
    'apps/web/src/lib/focus.test.tsx',
  );
  expect(testsOf(['apps/box-registry/src/testing/server-process.ts'], sources, imports)).toContain(
    'apps/box-registry/src/crash.test.ts',
  );
});
