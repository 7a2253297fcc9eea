import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures/test.ts';
import type { Watch } from '../../fixtures/watch.ts';
import { Shell } from '../../pages/shell.ts';
import { TargetForm } from '../../pages/target-form.ts';

/**
 * Turns the open page into one of an earlier build: files that only the Modules screen needs are gone from the server.
 * @returns restores them
 */
async function becomeOld(page: Page, watch: Watch): Promise<() => void> {
  watch.expectError(/^not loaded: .*\/assets\//);
  watch.expectError(/^console: (?:Failed to load resource|.*dynamically imported module)/);
  watch.expectError(/^page error: .*dynamically imported module/s);
  await page.waitForLoadState('networkidle');
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const html = await (await page.request.get('/local/modules', { headers: { accept: 'text/html' } })).text();
  const gone = [...html.matchAll(/href="(\/assets\/[^"]+\.js)"/g)]
    .map(([, path = '']) => path)
    .filter((path) => !loaded.includes(path));
  expect(gone.length).toBeGreaterThan(1);
  let isOld = true;
  await page.route('**/assets/*.js', async (route, request) => {
    const isGone = isOld && gone.includes(new URL(request.url()).pathname);
    await (isGone ? route.fulfill({ status: 404 }) : route.continue());
  });
  return () => {
    isOld = false;
  };
}

test('a page of an earlier build is reloaded once if a part of it is gone', async ({
  signedIn: page,
  watch,
}) => {
  await page.goto('/local/targets');
  const shell = new Shell(page);
  await expect(shell.screen('Modules')).toBeVisible();
  const bringBack = await becomeOld(page, watch);
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  await shell.screen('Modules').click();
  await expect.poll(() => loads).toBe(1);
  await page.waitForLoadState('networkidle');
  await expect(page).toHaveURL(/\/local\/modules$/);
  await expect(page.getByRole('heading', { name: "Part of this page couldn't be loaded" })).toBeVisible();
  expect(loads).toBe(1);
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  bringBack();
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Modules', level: 1 })).toBeVisible();
  expect(loads).toBe(1);
});

test('a page of an earlier build asks before a reload would lose an edit', async ({
  signedIn: page,
  watch,
  createTarget,
}) => {
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  await becomeOld(page, watch);
  const asked = page.waitForEvent('dialog');
  await new Shell(page).screen('Modules').hover();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(form.description).toHaveValue('mine');
  await expect(form.count).toHaveText('1 change');
});
