import fs from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { webRoot } from '../../../tools/build.mjs';
import { expectRecovered } from '../../fixtures/recovered.ts';
import type { TestStack } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { ConnectionsPage } from '../../pages/connections-page.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

/** The first environment's access controller. */
function accessOf(stack: TestStack) {
  const [environment] = stack.environments;
  if (environment === undefined) throw new Error('the stack has no environment');
  return environment.access;
}

/**
 * Opens a page and delays a file that it fetches on demand.
 * @param source end of its module's path
 * @returns once the page has requested it: a function that fails that request, and lets later ones succeed
 */
async function openWithout(page: Page, screen: string, source: string): Promise<() => Promise<void>> {
  const manifest = JSON.parse(
    fs.readFileSync(path.join(webRoot, '.vite', 'manifest.json'), 'utf8'),
  ) as Record<string, { readonly file: string }>;
  const key = Object.keys(manifest).find((name) => name.endsWith(source));
  if (key === undefined) throw new Error(`nothing that the page fetches is named ${source}`);
  const address = `**/${manifest[key]?.file ?? ''}`;
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  const asked = page.waitForRequest(address);
  await page.route(address, async (route) => {
    await held;
    await route.abort('internetdisconnected');
  });
  await page.goto(screen);
  await asked;
  return async () => {
    const lost = page.waitForEvent('requestfailed');
    release(undefined);
    await lost;
    await page.unroute(address);
  };
}

test('an unavailable service is shown as such, the other screens work, and the page recovers', async ({
  stack,
  signedIn: page,
}) => {
  const targets = new TargetsPage(page);
  await accessOf(stack).stop();
  await targets.open();
  const failure = page.getByRole('alert').filter({ hasText: 'Access controller unreachable' });
  await expect(failure).toBeVisible();
  await expect(failure).toContainText(/Request \w+/);
  // The number is unknown, not zero.
  await expect(targets.count).toHaveText('No targets loaded');
  const shell = new Shell(page);
  await expect(shell.service('Access controller')).toHaveAccessibleName('Access controller: Unreachable');

  await shell.screen('Connections').click();
  const connections = new ConnectionsPage(page);
  await expect(connections.service('Access controller')).toContainText('Unreachable');
  await expect(connections.sessions.first()).toContainText('This session');
  await shell.screen('Overview').click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();

  await accessOf(stack).start();
  // A service's state is cached for a few seconds.
  stack.advance(4_000);
  await shell.screen('Connections').click();
  await connections.checkNow.click();
  await expect(connections.service('Access controller')).toContainText('Connected');
  await shell.screen('Targets').click();
  await expectRecovered(page.getByRole('button', { name: 'Retry' }), targets.names.first());
  await expect(shell.service('Access controller')).toHaveAccessibleName('Access controller: Connected');
});

test('a save while the service is down keeps the form, and succeeds when it is back', async ({
  stack,
  signedIn: page,
  createTarget,
  controller,
}) => {
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  await accessOf(stack).stop();
  await form.save.click();
  await expect(form.problem).toContainText('Access controller unreachable');
  await expect(form.description).toHaveValue('mine');
  await expect(form.count).toHaveText('1 change');
  await accessOf(stack).start();
  await form.save.click();
  await expectToast(page, `Target ${target.name} saved`);
  expect((await controller.read('targets', target.id)).description).toBe('mine');
});

test('nobody can sign in to an unavailable service, and the page says why', async ({ stack, page }) => {
  await accessOf(stack).stop();
  await page.goto('/sign-in');
  const signIn = new SignInPage(page);
  await signIn.signIn('admin', 'whatever it is');
  await expect(signIn.problem).toContainText('Access controller unreachable');
});

test('a browser without a network says so, and loses nothing', async ({
  signedIn: page,
  createTarget,
  watch,
}) => {
  // Prefetched files may still be arriving.
  watch.expectError(/net::ERR_INTERNET_DISCONNECTED/);
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  await page.context().setOffline(true);
  await form.save.click();
  await expect(form.problem).toContainText('You are offline');
  await expect(page.getByRole('status').filter({ hasText: "You can't save until" })).toBeVisible();
  await page.context().setOffline(false);
  await form.save.click();
  await expectToast(page, `Target ${target.name} saved`);
});

test('a partly loaded page says that it is offline, and completes when the network is back', async ({
  signedIn: page,
  watch,
}) => {
  watch.expectError(/net::ERR_INTERNET_DISCONNECTED/);
  const lose = await openWithout(page, '/local/targets', 'components/layout/later.ts');
  await page.context().setOffline(true);
  const offline = page.getByRole('status').filter({ hasText: 'You are offline' });
  await expect(offline).toBeVisible();
  await lose();
  const shell = new Shell(page);
  await expect(shell.screen('Targets')).toBeVisible();
  await expect(shell.you).toBeHidden();
  await page.context().setOffline(false);
  await expect(shell.you).toBeVisible();
  await expect(shell.environment).toBeVisible();
  await expect(offline).toBeHidden();
});

test('a missing part of the page is reported, and fetched again on request', async ({
  signedIn: page,
  watch,
}) => {
  watch.expectError(/net::ERR_INTERNET_DISCONNECTED/);
  const lose = await openWithout(page, '/local/targets', 'components/layout/later.ts');
  // The server doesn't answer either, or the page would be reloaded.
  await page.route('/', (route) => route.abort('internetdisconnected'));
  await lose();
  const missing = page.getByRole('status').filter({ hasText: "Part of this page couldn't be loaded" });
  await expect(missing).toBeVisible();
  await missing.getByRole('button', { name: 'Retry' }).click();
  await expect(new Shell(page).you).toBeVisible();
  await expect(missing).toBeHidden();
});

test("a screen that can't be fetched without a network says so, and opens when the network is back", async ({
  signedIn: page,
  watch,
}) => {
  watch.expectError(/net::ERR_INTERNET_DISCONNECTED|dynamically imported module/);
  await page.goto('/local/targets');
  const shell = new Shell(page);
  await expect(shell.you).toBeVisible();
  await page.context().setOffline(true);
  await shell.screen('Modules').click();
  await expect(page.getByRole('alert').filter({ hasText: 'You are offline' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Modules', level: 1 })).toBeVisible();
});

test('nobody can sign in without a network, and the form says why', async ({ page, watch }) => {
  watch.expectError(/net::ERR_INTERNET_DISCONNECTED/);
  const lose = await openWithout(page, '/sign-in', 'console/session.ts');
  const signIn = new SignInPage(page);
  await page.context().setOffline(true);
  await signIn.signIn('admin', 'whatever it is');
  await lose();
  await expect(signIn.problem).toContainText('You are offline');
  await page.context().setOffline(false);
  await signIn.submit.click();
  await expect(signIn.problem).toContainText('Sign-in failed');
});
