import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectToast } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';

test('a webhook: created, edited on both sides, silenced, deleted', async ({
  signedIn: page,
  openBrowser,
  project,
}, testInfo) => {
  const shot = (name: string) => page.screenshot({ path: testInfo.outputPath(`${name}.png`) });
  await page.goto('/local/webhooks');
  await expect(page.getByRole('link', { name: 'New webhook' })).toBeVisible();
  await expectAccessible(page, 'webhooks');
  await shot('empty');
  await page.getByRole('link', { name: 'New webhook' }).click();
  const form = new RecordForm(page, 'webhook');
  await form.field('Name').fill('deploys');
  await form.form.getByRole('combobox', { name: 'Project' }).fill(project.name);
  await page.getByRole('option').first().click();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await form.field('Address').fill('https://hooks.example/in');
  await form.save('Create webhook').click();
  await expectFieldError(form.form, 'Token', /Enter the token/);
  await form.field('Token').fill('a-token');
  await form.toggle('Events', 'session ended');
  await expectAccessible(page, 'new webhook');
  await shot('new');
  await form.save('Create webhook').click();
  await expectToast(page, 'Webhook deploys created');
  await expect(page.getByRole('heading', { level: 1, name: 'deploys' })).toBeVisible();
  await expectAccessible(page, 'webhook');
  await shot('detail');

  const other = await openBrowser();
  await other.goto(`${page.url()}/edit`);
  const theirs = new RecordForm(other, 'webhook');
  await theirs.field('Token').fill('their-token');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await form.field('Token').fill('my-token');
  await form.field('Description').fill('of the deploys');
  await theirs.save('Save webhook').click();
  await expectToast(other, 'Webhook deploys saved');
  await form.save('Save webhook').click();
  const conflict = new ConflictView(page);
  await expect(conflict.section).toBeVisible();
  await shot('conflict');
  await conflict.choose('Token', 'Use mine');
  await form.save('Save webhook').click();
  await expectToast(page, 'Webhook deploys saved');

  await page.getByRole('button', { name: 'Silence' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Silence webhook' }).click();
  await expect(page.getByText('session-ended')).toHaveCount(0);

  await page.getByRole('button', { name: 'More actions for deploys' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await shot('delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expectToast(page, 'Webhook deploys deleted');
  await expect(page).toHaveURL(/\/webhooks$/);
});
