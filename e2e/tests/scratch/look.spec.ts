import { testMove } from '../../../apps/web/src/components/moves/test-move.ts';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { test, expect } from '../../fixtures/test.ts';
const out = '/tmp/shots';
const pieces0 = testMove({}).pieces;
const item = (n: number) => ({
  id: `i${n}`,
  name: `acme/box-${n}`,
  name_here: n % 7 === 0 ? `acme-corp/box-${n}` : `acme/box-${n}`,
  chosen: n % 9 !== 0,
  is_here: n % 5 === 0,
  is_private: false,
  short_description: 'A box',
  versions: 12,
  newest: '2.4.1',
  providers: ['libvirt', 'virtualbox'],
  architectures: ['amd64', 'arm64'],
  pieces: { ...pieces0, missing: 10, failed: n % 11 === 0 ? 2 : 0 },
  bytes: { total: 4.2e9, copied: 0, unknown: 0 },
  clashes:
    n % 4 === 0
      ? [
          {
            what: 'piece-differs',
            detail: 'Version 1.0.0 has another image of libvirt here.',
            done: 'The one that is here stays.',
          },
        ]
      : [],
  problem: null,
});
const piece = (n: number, state: string) => ({
  id: `p${n}${state}`,
  provider: 'libvirt',
  architecture: n % 2 ? 'amd64' : 'arm64',
  is_default: true,
  state,
  detail: state === 'failed' ? 'The checksum of what came, 1f2e…, is not the one that the source gives.' : '',
  size: 4e8,
  copied: 1e8,
  checksum: 'ab'.repeat(32),
  checksum_type: 'sha256',
  sha256: '',
});
const choice = testMove({}).choice;
const plan = {
  kind: 'boxes' as const,
  found: {
    owners: ['acme', 'debian', 'bento'],
    providers: ['libvirt', 'virtualbox'],
    architectures: ['amd64', 'arm64'],
  },
  versions: 1210,
  items: { total: 10000, chosen: 9998, finished: 30, usable: 44, with_clashes: 3 },
  pieces: { missing: 1240, here: 12, clash: 2, 'not-copied': 1 },
  bytes: { total: 312e9, copied: 0, unknown: 4 },
  planned_time: new Date(Date.now() - 120000).toISOString(),
  server_url: 'https://boxes.example.com',
  log: [
    {
      time: new Date().toISOString(),
      item: 'acme/box-1',
      text: 'Version 1.0.0 of acme/box-1 was copied',
      failed: false,
    },
    { time: new Date().toISOString(), item: null, text: 'The source asks to wait 40 s', failed: true },
  ],
};
const states = {
  planning: testMove({ state: 'planning', planning: { read: 12, found: 88 } }),
  planned: testMove({ ...plan, choice: { ...choice, versions: { kind: 'newest', count: 3 } } }),
  copying: testMove({
    ...plan,
    state: 'copying',
    bytes: { total: 312e9, copied: 80e9, unknown: 0 },
    pieces: { waiting: 1000, copying: 4, copied: 236 },
    rate: 54e6,
    seconds_left: 4100,
    waits_until: new Date(Date.now() + 40000).toISOString(),
  }),
  paused: testMove({
    ...plan,
    state: 'paused',
    pause: {
      reason: 'source-token',
      detail: 'vagrantcloud.com refused the token. Resume with another one.',
      while: 'copying',
    },
    bytes: { total: 312e9, copied: 80e9, unknown: 0 },
    pieces: { waiting: 1000, copied: 236, failed: 3 },
  }),
  done: testMove({
    ...plan,
    state: 'done',
    bytes: { total: 312e9, copied: 312e9, unknown: 0 },
    pieces: { copied: 1237, failed: 3, here: 12 },
  }),
  other: testMove({
    ...plan,
    state: 'paused',
    owner: { person: 'x', name: 'olga', is_you: false },
    log: [],
    pause: { reason: 'person', detail: 'Paused by olga.', while: 'copying' },
    pieces: { waiting: 1000, copied: 236 },
  }),
};
let state: keyof typeof states = 'planned';
for (const scheme of ['light', 'dark'] as const)
  test(`look ${scheme}`, async ({ signedIn: page }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme: scheme });
    await page.route('**/api/environments/local/moves**', async (route) => {
      const url = new URL(route.request().url());
      const path = url.pathname;
      if (path.endsWith('/moves'))
        return route.fulfill({ json: { moves: [states[state], testMove({ id: 'mv_2', state: 'done' })] } });
      if (path.endsWith('/items')) {
        const o = Number(url.searchParams.get('offset') ?? 0);
        return route.fulfill({
          json: {
            items: Array.from({ length: 100 }, (_, n) => item(o + n)),
            total: 10000,
            next_offset: o + 100,
          },
        });
      }
      if (path.includes('/items/'))
        return route.fulfill({
          json: {
            item: { ...item(44), clashes: item(4).clashes },
            versions: Array.from({ length: 40 }, (_, n) => ({
              version: `1.${40 - n}.0`,
              status: n === 3 ? 'revoked' : 'active',
              status_here: null,
              chosen: true,
              differs: [],
              pieces: [
                piece(n * 2, n ? 'copied' : 'copying'),
                piece(n * 2 + 1, n === 2 ? 'failed' : 'waiting'),
              ],
            })),
          },
        });
      if (path.endsWith('/choice'))
        return route.fulfill({
          json: {
            ...states.planned,
            choice: route.request().postDataJSON(),
            revision: '2',
            updated_time: new Date().toISOString(),
          },
        });
      return route.fulfill({ json: states[state] });
    });
    const shot = async (name: string, size = { width: 1440, height: 900 }) => {
      await page.setViewportSize(size);
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${out}/${name}-${scheme}-${size.width}.png` });
    };
    await page.goto('/local/boxes/moves');
    await expect(page.getByRole('grid')).toBeVisible();
    await shot('list');
    await expectAccessible(page);
    await page.goto('/local/boxes/moves/new');
    await page
      .getByLabel('Owners and boxes')
      .fill('acme\nconfig.vm.box = "debian/bookworm64"\nplease bring this\nacme');
    await shot('new');
    await shot('new', { width: 390, height: 844 });
    await expectAccessible(page);
    for (const s of Object.keys(states) as (keyof typeof states)[]) {
      state = s;
      page.once('dialog', (d) => void d.accept());
      await page.goto('/local/boxes/moves/mv_1', { waitUntil: 'load' });
      if (await page.getByRole('button', { name: /Discard/ }).isVisible())
        await page.getByRole('button', { name: /Discard/ }).click();
      await page.waitForTimeout(800);
      await shot(s, { width: 1920, height: 1080 });
      await shot(s, { width: 390, height: 844 });
      await shot(s);
      if (s === 'planned' || s === 'paused')
        await page
          .locator('main > div, .overflow-y-auto')
          .last()
          .evaluate((e) => e.scrollTo(0, 400))
          .catch(() => undefined);
      await expectAccessible(page);
    }
    state = 'copying';
    await page.goto('/local/boxes/moves/mv_1?item=i44');
    await page.waitForTimeout(800);
    await shot('item');
    await shot('item', { width: 390, height: 844 });
    await expectAccessible(page);
    await page.goto('/local/boxes');
    await page.getByRole('button', { name: 'Show moves' }).click();
    await page.waitForTimeout(500);
    await shot('tray');
  });
