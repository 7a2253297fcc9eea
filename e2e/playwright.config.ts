import { defineConfig } from '@playwright/test';
import { ensureChromium } from '../tools/chromium.mjs';
import type { WorkerFixtures } from './fixtures/test.ts';

const isRoot = process.getuid?.() === 0;

const movesClock = '**/*.clock.spec.ts';

/**
 * Omits what Chromium otherwise loads: pages behind the address bar, which cost half of a context's time, and what
 * Playwright omits by the same argument, of which only the last one counts.
 */
const withoutFeatures = [
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding',
  'ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints',
  'NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
].join(',');

// Workers and their servers inherit it: their data is thrown away, so they needn't wait for the disk.
process.env['GATEHOUSE_THROW_AWAY'] = '1';

export default defineConfig<object, WorkerFixtures>({
  testDir: 'tests',
  outputDir: '../test-results',
  // A stack for each worker. Pages wait at times, so three keep two cores busy, and take a twelfth less time than two.
  workers: 3,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  // `npm test` lists a test that passes the second time as flaky.
  retries: 1,
  timeout: 60_000,
  // The timeouts allow for a busy machine. What never comes should fail within the test's time.
  expect: { timeout: 15_000 },
  reporter: 'list',
  projects: [
    { name: 'usual', testIgnore: movesClock },
    // Servers whose clocks were moved serve no other tests.
    { name: 'clock', testMatch: movesClock, use: { clockMoves: true } },
  ],
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
    viewport: { width: 1440, height: 900 },
    // A missing button fails after this, not after the whole time of a test, which is three minutes for a slow one.
    actionTimeout: 30_000,
    // Moving elements are awaited before they are pressed, and only looks depend on the animations.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every test costs more than it shows: run a failed one again with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: ensureChromium(),
      args: [
        '--disable-background-networking',
        `--disable-features=${withoutFeatures}`,
        ...(isRoot ? ['--no-sandbox'] : []),
      ],
    },
  },
});
