import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectToast, pasteText } from '../../fixtures/vocabulary.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';

test('names below a folder are searched, and undeleted', async ({ signedIn: page, secrets }) => {
  await test.step('names are searched at any depth, values never, and the search is in the address', async () => {
    for (const path of ['app/db/password', 'app/mail', 'app/database', 'infra/db/replica/password']) {
      await secrets.write(path, { note: 'replica' });
    }
    const folder = new SecretFolderPage(page, secrets);
    await folder.open();
    await folder.search.fill('db pass');
    await expect(folder.rows(folder.found)).toHaveText(['app/db/password', 'infra/db/replica/password']);
    await expect(folder.progress).toHaveText('Searched all 4 secrets in 6 folders.');
    await expect(page).toHaveURL(/\?q=db\+?(?:%20)?pass$/);
    await page.reload();
    await expect(folder.rows(folder.found)).toHaveText(['app/db/password', 'infra/db/replica/password']);
    await folder.search.fill('replica');
    await expect(folder.rows(folder.found)).toHaveText(['infra/db/replica/', 'infra/db/replica/password']);
    await folder.rows(folder.found).first().getByRole('link').click();
    await expect(folder.rows(folder.names)).toHaveText(['password']);
    await folder.search.fill('no such name');
    await expect(page.getByText('No name below replica contains "no such name".')).toBeVisible();
  });
  await test.step('names in all engines are searched from the first page, and a missing secret is created', async () => {
    await page.goto('/local/secrets');
    const nav = page.getByRole('navigation', { name: 'Recent secrets' });
    await expect(page.getByRole('grid', { name: 'Engines' })).toBeVisible();
    await expect(nav).toHaveCount(0);
    await page.keyboard.press('/');
    await page.keyboard.type('db pass');
    const found = page.getByRole('grid', { name: 'Search results' });
    await found.getByRole('link', { name: `${secrets.mount}/app/db/password` }).click();
    await expect(new SecretPage(page, secrets).field('note')).toBeVisible();
    await page
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Secrets' })
      .click();
    await expect(nav.getByRole('link', { name: secrets.name('app/db/password') })).toBeVisible();

    await page.getByRole('textbox', { name: 'Open a path' }).fill(secrets.name('app/not-yet'));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Create it' }).click();
    const form = new SecretForm(page, secrets);
    await expect(form.path).toHaveValue('not-yet');
    await form.form.getByLabel('New field name', { exact: true }).focus();
    await pasteText(page, 'user: app\npasswords:\n  - 0012\n');
    await expect(form.entry('passwords')).toBeVisible();
    await form.saveVersion.click();
    await expectToast(page, `${secrets.name('app/not-yet')} saved`);
    expect(await secrets.read('app/not-yet')).toEqual({ user: 'app', passwords: ['0012'] });
  });
  await test.step('the recycle bin finds deleted secrets at any depth, and restores one or many', async () => {
    for (const path of ['bin/one', 'bin/deep/two', 'bin/three', 'bin/kept']) {
      for (const value of ['a', 'b']) await secrets.write(path, { value });
    }
    await secrets.take('delete', 'bin/one', [2]);
    await secrets.take('delete', 'bin/deep/two', [1, 2]);
    await secrets.take('delete', 'bin/three', [2]);
    await secrets.take('delete', 'bin/kept', [1]);
    const folder = new SecretFolderPage(page, secrets);
    await folder.open('bin');
    await folder.choose('Recycle bin');
    const bin = page.getByRole('grid', { name: 'Deleted below bin' });
    const rows = bin.getByRole('rowheader');
    await expect(rows).toHaveText(['bin/one', 'bin/three', 'bin/deep/two']);
    await expect(folder.progress).toHaveText('Searched all 4 secrets in 2 folders.');
    await clickRowAction(page, 'bin/deep/two', 'Undelete all 2 versions');
    await expectToast(page, '1 secret undeleted');
    expect(await secrets.read('bin/deep/two', 1)).toEqual({ value: 'a' });
    await bin.getByRole('checkbox', { name: 'Select bin/one' }).click();
    await bin.getByRole('checkbox', { name: 'Select bin/three' }).click();
    await page.getByRole('button', { name: 'Undelete', exact: true }).click();
    await expectToast(page, '2 secrets undeleted');
    expect(await secrets.read('bin/three')).toEqual({ value: 'b' });
    await expect(page.getByText('Nothing below bin can be undeleted.')).toBeVisible();
    await page
      .getByRole('radiogroup', { name: 'Show' })
      .getByText('All deleted versions', { exact: true })
      .click();
    await expect(rows).toHaveText(['bin/kept']);
    await rows.getByRole('link').click();
    await expect(new SecretPage(page, secrets).version(1)).toContainText('Deleted');
    const ofEngine = page.getByRole('link', { name: 'Recycle bin', exact: true });
    await ofEngine.click();
    await expect(page.getByText(`Nothing below ${secrets.mount} can be undeleted.`)).toBeVisible();
    await expect(ofEngine).toHaveAttribute('aria-current', 'page');
  });
  await test.step('a value is found in the secrets that contain it, and the page keeps neither', async () => {
    await secrets.write('found/api', { token: 'leaked-token', user: 'api' });
    await secrets.write('found/deep/job', { env: { token: 'leaked-token' } });
    await secrets.write('found/other', { token: 'other' });
    const folder = new SecretFolderPage(page, secrets);
    await folder.open('found');
    await folder.choose('Find a value');
    await page.getByLabel('Value', { exact: true }).fill('leaked-token');
    await page.keyboard.press('Enter');
    const found = page.getByRole('grid', { name: 'Secrets below found with this value' });
    await expect(found.getByRole('rowheader')).toHaveText(['found/api', 'found/deep/job']);
    await expect(found).toContainText('env.token');
    await expect(folder.progress).toHaveText('Searched all 3 secrets in 2 folders.');
    await expect(page.getByLabel('Value', { exact: true })).toHaveValue('');
    await expect(page.getByText('leaked-token')).toHaveCount(0);
    await found.getByRole('link', { name: 'found/deep/job' }).click();
    await expect(new SecretPage(page, secrets).field('env')).toBeVisible();
  });
});
