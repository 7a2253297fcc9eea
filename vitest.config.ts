import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const servers = [
  'apps/{access-controller,box-registry,module-registry,secrets-server,stack}/{src,test}',
  'packages/{api-types,cloud-double,filter-expression,module-archive,record-merge,service-kit}/{src,test}',
];
const bff = 'apps/bff/{src,test}';
const page = ['apps/web/{chunks,src}', 'packages/ui/src'];

export default defineConfig({
  test: {
    // One slow property or kill round must not fail because the machine is busy; no test asserts time itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 40_000 } },
    env: {
      // Tests that start a process start many of the same: each but the first finds its sources stripped and compiled.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compiled', import.meta.url)),
      GATEHOUSE_THROW_AWAY: '1',
    },
    // Tests wait for sockets and processes now and then: one more than there are cores keeps two of them busy, and
    // takes a tenth less time. The main thread has next to nothing to do.
    maxWorkers: os.availableParallelism() + 1,
    // Tests make many objects that live briefly: room for more of them saves a twentieth of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: fileURLToPath(new URL('vitest.setup.ts', import.meta.url)),
    // The files of a worker share their modules, which take longer to load than most tests to run: nothing of a test may
    // stay behind in a module, in process.env or in a timer. A process that a test starts has modules of its own.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'servers',
          environment: 'node',
          include: [...servers.map((folder) => `${folder}/**/*.test.ts`), 'tools/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'bff',
          environment: 'node',
          include: [`${bff}/**/*.test.ts`],
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          environment: 'jsdom',
          include: page.map((folder) => `${folder}/**/*.test.tsx`),
        },
      },
      {
        extends: true,
        test: {
          // What draws nothing needs no document, which takes longer to make than most of these take to run.
          name: 'page logic',
          environment: 'node',
          include: page.map((folder) => `${folder}/**/*.test.ts`),
        },
      },
    ],
  },
});
