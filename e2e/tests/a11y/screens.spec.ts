import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { question } from '../../fixtures/vocabulary.ts';
import { ConnectionsPage } from '../../pages/connections-page.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

// Axe checks each state twice.
test.slow();

test('the sign-in page is accessible', async ({ page }) => {
  const signIn = new SignInPage(page);
  await page.goto('/sign-in');
  await expect(signIn.heading).toBeVisible();
  await expectAccessible(page, 'empty');
  await signIn.submit.click();
  await expect(signIn.loginName).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'empty fields named');
  await signIn.signIn('nobody', 'nothing');
  await expect(signIn.problem).toBeVisible();
  await expectAccessible(page, 'refused');
});

test('Overview, Connections and the shell are accessible', async ({ signedIn: page, createTarget }) => {
  await test.step('Overview and the shell', async () => {
    await createTarget();
    await page.goto('/local');
    await expect(
      page.getByRole('group', { name: 'Recently changed targets' }).getByRole('link').nth(1),
    ).toBeVisible();
    await expectAccessible(page, 'overview');
    const shell = new Shell(page);
    await shell.you.click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    await expectAccessible(page, 'menu of the person');
    await page.getByRole('menuitem', { name: 'Theme' }).press('ArrowRight');
    await expect(page.getByRole('menuitem', { name: 'Dark' })).toBeVisible();
    await expectAccessible(page, 'choice of the theme');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await shell.environment.click();
    await expect(page.getByRole('menuitem', { name: 'Production' })).toBeVisible();
    await expectAccessible(page, 'menu of the environments');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menuitem', { name: 'Production' })).toHaveCount(0);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0);
  });
  await test.step('Connections', async () => {
    const connections = new ConnectionsPage(page);
    await connections.open();
    await expect(connections.sessions.first()).toBeVisible();
    await expectAccessible(page, 'connections');
    const row = connections.service('Access controller');
    await row.getByRole('button', { name: 'Reconnect' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, 'reconnect');
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Disconnect' }).click();
    await expect(question(page)).toBeVisible();
    await expectAccessible(page, 'disconnect');
  });
});

test('the screens of targets are accessible', async ({ signedIn: page, project, createTarget }) => {
  await test.step('the list of targets', async () => {
    const targets = new TargetsPage(page);
    await targets.open(project.id);
    await expect(page.getByRole('heading', { name: 'No targets you can see in this scope' })).toBeVisible();
    await expectAccessible(page, 'empty');
    const first = await createTarget({ type: 'ssh', attributes: {} });
    await createTarget();
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await expect(targets.header('Name')).toHaveAttribute('aria-sort', 'ascending');
    await targets.select(first.name).click();
    await expect(targets.select(first.name)).toBeChecked();
    await expectAccessible(page, 'sorted, one selected');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible();
    await expectAccessible(page, 'columns');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Actions for ${first.name}` }).click();
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
    await expectAccessible(page, 'menu of a row');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(question(page)).toBeVisible();
    await expectAccessible(page, 'delete');
    await page.keyboard.press('Escape');
    await targets.filterBy('"/item/type" ==');
    await expect(targets.filter).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page, 'filter refused');
  });
  await test.step('a target and its form', async () => {
    const created = await createTarget({ description: 'words', type: 'ssh', attributes: {} });
    const target = new TargetPage(page);
    await target.open(created.id);
    await expect(target.value('Description')).toHaveText('words');
    await expectAccessible(page, 'a target');
    await target.edit.click();
    const form = new TargetForm(page);
    await form.description.fill('other words');
    await form.port.fill('0');
    await form.review.click();
    await form.name.fill('');
    await form.save.click();
    await expect(form.name).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page, 'form with changes under review and errors');
    await form.discard.click();
    await expect(form.guard).toBeVisible();
    await expectAccessible(page, 'discard');
    await form.guard.getByRole('button', { name: /^Discard/ }).click();
    await expect(target.edit).toBeVisible();
  });
  await test.step('a new target', async () => {
    const form = new TargetForm(page);
    await form.openNew(project.id);
    await expectAccessible(page, 'form');
    await form.project.click();
    await expect(page.getByRole('option').first()).toBeVisible();
    // React Aria hides the rest from screen readers while the list is open. Tab closes it before it moves on.
    await expectAccessible(page, 'choice of the project', {
      rules: ['aria-hidden-focus', 'page-has-heading-one', 'region'],
    });
  });
});
