import type { Page } from '@playwright/test';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { press } from '../../fixtures/vocabulary.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';

/** Most requests of a new browser until the page is quiet: the document, its files and its data. */
const mostRequests = 40;

/** Lists that are visited at the same time, each in its own browser. */
const lists = [
  ['activity', 'connections', 'credential-sources', 'host-sources', 'sessions', 'targets'],
  ['boxes', 'boxes/account', 'boxes/moves', 'boxes/organizations', 'modules', 'modules/moves'],
  ['cloud', 'people', 'plugins', 'replication', 'secrets', 'secrets/secret/folder'],
];

for (const group of lists) {
  test(`a first visit takes few requests: ${group.join(', ')}`, async ({ openBrowser, createPerson }) => {
    // Each by a different user, because one user who signs in six times at once is delayed.
    await Promise.all(
      group.map(async (list) => expectFewRequests(await openBrowser(await createPerson()), list)),
    );
  });
}

test("the document names all scripts that its page's list needs", async ({ signedIn: page }) => {
  const html = await (await page.request.get('/local/targets', { headers: { accept: 'text/html' } })).text();
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path);
  // Nothing is drawn without preferences, so what is fetched until then is what the list needs.
  await page.route('/api/preferences', () => undefined);
  const before: string[] = [];
  page.on('request', (request) => before.push(new URL(request.url()).pathname));
  await page.goto('/local/targets', { waitUntil: 'commit' });
  await expect.poll(() => notTaken(page)).toEqual([]);
  const scripts = before.filter((path) => /^\/assets\/.+\.js$/.test(path));
  expect(scripts.filter((path) => !named.includes(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(scripts.length / 2);
});

test("Overview doesn't shift while it loads, in a wide and in a narrow window", async ({
  createTarget,
  openBrowser,
}) => {
  for (let count = 0; count < 4; count += 1) await createTarget();
  const wide = await openBrowser();
  // For each of them, the other one is another session of the user, which the horizon shows.
  const narrow = await openBrowser();
  await narrow.setViewportSize({ width: 390, height: 844 });
  await Promise.all([expectNoShifts(wide, 'wide'), expectNoShifts(narrow, 'narrow')]);
});

test("a form doesn't shift when a control that was still loading is there", async ({ signedIn: page }) => {
  let isShown: () => void = () => undefined;
  const shown = new Promise<void>((resolve) => {
    isShown = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes('Show options')) await shown;
    await route.fulfill({ response });
  });
  await page.addInitScript(watchShifts);
  await page.goto('/local/credential-sources/new');
  await expect(page.getByRole('radio', { name: 'Vault' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Project' })).toBeHidden();
  isShown();
  await expect(page.getByRole('combobox', { name: 'Project' })).toBeVisible();
  expect(await shiftsOf(page)).toEqual([]);
});

test("Overview's cards appear though a service doesn't answer", async ({ signedIn: page }) => {
  await page.route('/api/environments/local/secrets/replication', () => undefined);
  await page.goto('/local');
  await expect(page.getByRole('heading', { name: 'Expiring soon' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/Checking replication/)).toBeVisible();
});

test("Overview says what couldn't be checked", async ({ signedIn: page }) => {
  await page.route('/api/connections', (route) => route.abort());
  await page.goto('/local');
  await expect(page.getByText(/Couldn't check connections/)).toBeVisible();
});

async function expectFewRequests(page: Page, list: string): Promise<void> {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isPoll = request.headers()['x-gatehouse-poll'] !== undefined;
    // A list that polls every few seconds isn't requested twice at once.
    if (!isPoll || !requests.includes(pathname + search)) requests.push(pathname + search);
  });
  await page.goto(`/local/${list}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // An idle network before the page's code has run doesn't make the page quiet.
  await expect.poll(() => notTaken(page), { message: list }).toEqual([]);
  await page.waitForLoadState('networkidle');
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(mostRequests);
  expect(requests.filter((request) => request.endsWith('.js')).length).toBeGreaterThan(1);
  // The page uses the requests that were sent before its code loaded, and doesn't repeat them.
  const asked = requests.filter((request) => request.startsWith('/api/'));
  expect(asked).toContain('/api/session/current');
  expect(asked, list).toEqual([...new Set(asked)]);
}

async function expectNoShifts(page: Page, window: string): Promise<void> {
  await page.addInitScript(watchShifts);
  await page.goto('/local');
  await expect(
    page.getByRole('group', { name: 'Recently changed targets' }).getByRole('listitem'),
  ).not.toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Recently changed boxes' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Recently published modules' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await shiftsOf(page), window).toEqual([]);
}

/** Requests sent early that no call has used. */
async function notTaken(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const begun: unknown = Reflect.get(globalThis, 'begun');
    return begun instanceof Map ? [...begun.keys()] : ['nothing was begun'];
  });
}

/** In the page: what shifted, and how much. */
function watchShifts(): void {
  const shifts: string[] = [];
  Reflect.set(globalThis, 'shifts', shifts);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const sources = Reflect.get(entry, 'sources') as readonly { readonly node: Node | null }[];
      const moved = sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? node?.nodeName);
      shifts.push(`${String(Reflect.get(entry, 'value'))}: ${moved.join(' | ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

async function shiftsOf(page: Page): Promise<unknown> {
  return page.evaluate(() => Reflect.get(globalThis, 'shifts') as unknown);
}

test('first steps open what is missing, count what was done, and are hidden and found again', async ({
  createPerson,
  openBrowser,
  project,
}) => {
  const page = await openBrowser(await createPerson());
  await page.goto('/local');
  const card = page.getByRole('group', { name: /^First steps/ });
  await expect(card).toHaveAccessibleName('First steps: 1 of 6 done');
  await expect(card.getByRole('listitem')).toHaveText([
    /^Connect to all services of Local \(done\)/,
    /^Create your first target.*New target$/,
    /^Create your first secret.*Secrets$/,
    /^Create your first account for someone else.*New person$/,
    /^Publish your first box.*Publish a box$/,
    /^Publish your first module.*Publish a module$/,
  ]);
  await expectAccessible(page, 'Overview with first steps');
  const form = new TargetForm(page);
  await form.openNew(project.id);
  await form.name.fill('first target');
  await form.address.fill('10.0.0.1');
  await form.port.fill('22');
  await form.save.click();
  await expect(new TargetPage(page).heading).toHaveText('first target');
  const read = page.waitForRequest(/[?&]mine=true/);
  await page.goto('/local');
  await read;
  await expect(card).toHaveAccessibleName('First steps: 2 of 6 done');
  const hide = card.getByRole('button', { name: 'Hide' });
  await hide.click();
  await expect(card).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await hide.click();
  await page.reload();
  await expect(page.getByRole('group', { name: /^Services of / })).toBeVisible();
  await expect(card).toHaveCount(0);
  for (const [from, first] of [
    ['/local/activity', /^Connect to all services of Local \(done\)/],
    // Even before the user is connected there.
    ['/production/activity', /^Connect to all services of Production.*Connections$/],
  ] as const) {
    await page.goto(from);
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
    await press(page, 'Control+k');
    await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('tour');
    await press(page, 'Enter');
    await expect(card.getByRole('listitem').first()).toHaveText(first);
    await expect(page).toHaveURL(/\/(?:local|production)$/);
  }
});

test("first steps don't count a service to which the user has no access", async ({
  createPerson,
  openBrowser,
  stack,
}) => {
  const person = await createPerson();
  await stack.accounts.update(person.id, stack.accounts.get(person.id)?.version ?? 0, {
    roles: { boxes: null },
  });
  const page = await openBrowser(person);
  await page.goto('/local');
  const card = page.getByRole('group', { name: /^First steps/ });
  await expect(card).toHaveAccessibleName('First steps: 1 of 5 done');
  const step = card.getByRole('listitem').filter({ hasText: 'Publish your first box' });
  await expect(step).toHaveText(/No access$/);
  await expect(step.getByRole('link')).toHaveCount(0);
});

test('the tour of a demo is shown instead of first steps, and opens its stops', async ({
  createPerson,
  openBrowser,
}) => {
  const page = await openBrowser(await createPerson());
  const stop = {
    title: 'Look at Activity',
    detail: 'Who did what.',
    href: '/local/activity',
    action: 'Look',
  };
  const stored = await page.request.put('/api/preferences/tour', {
    headers: { 'x-gatehouse': 'console', 'sec-fetch-site': 'same-origin' },
    data: { value: [stop] },
  });
  expect(stored.status()).toBe(204);
  await page.goto('/local');
  const card = page.getByRole('group', { name: 'A three-minute tour' });
  await expect(card.getByRole('listitem')).toHaveText([/^Look at Activity.*Who did what\./]);
  await expectAccessible(page, 'Overview with a tour');
  await card.getByRole('link', { name: 'Look' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
});

test('first steps are not shown to users who can only read', async ({ createPerson, openBrowser }) => {
  const page = await openBrowser(await createPerson('read-only'));
  await page.goto('/local');
  await expect(page.getByRole('group', { name: /^Services of / })).toBeVisible();
  await expect(page.getByRole('group', { name: /^First steps/ })).toHaveCount(0);
});
