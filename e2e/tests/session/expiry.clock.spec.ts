import type { Page } from '@playwright/test';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { signInAgain } from '../../pages/session-dialogs.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetForm } from '../../pages/target-form.ts';

const idleMs = 16 * 60_000;

/** Opens a target's form, and waits until the page has sent its own requests. From then on only the user sends some. */
async function openQuietly(form: TargetForm, page: Page, id: string): Promise<void> {
  const lastRead = page.waitForResponse(/\/publish-runs$/);
  await form.open(id);
  await lastRead;
  await page.waitForLoadState('networkidle');
}

test('a session that expires during an edit is renewed in place, and the edit continues', async ({
  stack,
  createPerson,
  createTarget,
  openBrowser,
  controller,
}) => {
  const target = await createTarget();
  const page = await openBrowser(await createPerson());
  const form = new TargetForm(page);
  await openQuietly(form, page, target.id);
  await form.description.fill('written before the session ended');
  stack.advance(idleMs);
  await form.save.click();

  const again = signInAgain(page);
  await expect(again.dialog).toContainText('You have been inactive.');
  await again.enter('not the password');
  await expect(again.problem).toContainText('Sign-in failed');
  await again.enter(password);
  // The interrupted save is done without being requested again.
  await expectToast(page, `Target ${target.name} saved`);
  await expect(page).toHaveURL(new RegExp(`/targets/${target.id}$`));
  expect((await controller.read('targets', target.id)).description).toBe('written before the session ended');
});

test("a user who doesn't sign in again keeps the form unchanged", async ({
  stack,
  createPerson,
  createTarget,
  openBrowser,
}) => {
  const target = await createTarget();
  const page = await openBrowser(await createPerson());
  const form = new TargetForm(page);
  await openQuietly(form, page, target.id);
  await form.description.fill('mine');
  stack.advance(idleMs);
  await form.save.click();
  const again = signInAgain(page);
  await expect(again.dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(again.dialog).toBeHidden();
  await expect(form.problem).toContainText('You are signed out');
  await expect(form.description).toHaveValue('mine');
  await form.save.click();
  await again.enter(password);
  await expectToast(page, `Target ${target.name} saved`);
});

test('another person who signs in never inherits the edit', async ({
  stack,
  createPerson,
  createTarget,
  openBrowser,
  controller,
}) => {
  const target = await createTarget();
  const [owner, other] = [await createPerson(), await createPerson()];
  const page = await openBrowser(owner);
  const form = new TargetForm(page);
  await openQuietly(form, page, target.id);
  await form.description.fill('written by the owner');
  stack.advance(idleMs);
  await form.save.click();
  const again = signInAgain(page);
  await expect(again.loginName).toHaveValue(owner.loginName);
  await again.loginName.fill(other.loginName);
  await again.enter(password);

  await expect(page).toHaveURL(/\/local$/);
  await expect(new Shell(page).you).toContainText(other.fullName);
  expect((await controller.read('targets', target.id)).description).toBe('');
  await form.open(target.id);
  await expect(form.description).toHaveValue('');
  expect((await controller.read('targets', target.id)).description).toBe('');
});

test('another person who signs in in another tab neither gets the edit nor stores it', async ({
  createPerson,
  createTarget,
  openBrowser,
  controller,
}) => {
  const target = await createTarget();
  const [owner, other] = [await createPerson(), await createPerson()];
  const page = await openBrowser(owner);
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('written by the owner');

  const tab = await page.context().newPage();
  await tab.goto('/local/connections');
  await new Shell(tab).signOut();
  await new SignInPage(tab).signIn(other.loginName, password);
  await expect(new Shell(tab).you).toContainText(other.fullName);

  const answered = page.waitForResponse(
    (answer) => answer.request().method() === 'PATCH' && answer.url().endsWith(`/targets/${target.id}`),
  );
  await form.save.click();
  expect((await answered).status()).toBe(401);
  await expect(page).toHaveURL(/\/local$/);
  await expect(new Shell(page).you).toContainText(other.fullName);
  expect((await controller.read('targets', target.id)).description).toBe('');
  const trail = await page
    .context()
    .request.get(`/api/environments/local/activity?resource_id=${target.id}`, { headers: consoleHeaders });
  expect(await trail.json()).toMatchObject({ items: [] });
});

test('a user who leaves instead starts at the sign-in page, without the edit', async ({
  stack,
  createPerson,
  createTarget,
  openBrowser,
}) => {
  const target = await createTarget();
  const page = await openBrowser(await createPerson());
  const form = new TargetForm(page);
  await openQuietly(form, page, target.id);
  await form.description.fill('mine');
  stack.advance(idleMs);
  await form.save.click();
  await signInAgain(page).dialog.getByRole('button', { name: 'Leave now' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Gatehouse' })).toBeVisible();
});

test('an expired session opens the sign-in page, which says why and returns afterwards', async ({
  stack,
  createPerson,
  openBrowser,
}) => {
  const page = await openBrowser(await createPerson());
  stack.advance(idleMs);
  await page.goto('/local/connections');
  await expect(page.getByText('You were signed out because of inactivity.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Login name' }).fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/local\/connections$/);
});
