import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectToast } from '../../fixtures/vocabulary.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretPage } from '../../pages/secret-page.ts';

test('names are searched at any depth, values never; the search is in the address', async ({
  signedIn: page,
  secrets,
}) => {
  for (const path of ['app/db/password', 'app/mail', 'app/database', 'infra/db/replica/password']) {
    await secrets.write(path, { note: 'replica' });
  }
  const folder = new SecretFolderPage(page, secrets);
  await folder.open();
  await folder.search.fill('db pass');
  await expect(folder.rows(folder.found)).toHaveText(['app/db/password', 'infra/db/replica/password']);
  await expect(folder.progress).toHaveText('Looked at all 4 secrets in 6 folders.');
  await expect(page).toHaveURL(/\?q=db\+?(?:%20)?pass$/);
  await page.reload();
  await expect(folder.rows(folder.found)).toHaveText(['app/db/password', 'infra/db/replica/password']);
  await folder.search.fill('replica');
  await expect(folder.rows(folder.found)).toHaveText(['infra/db/replica/', 'infra/db/replica/password']);
  await folder.rows(folder.found).first().getByRole('link').click();
  await expect(folder.rows(folder.names)).toHaveText(['password']);
  await folder.search.fill('no such name');
  await expect(page.getByText('Nothing below replica holds "no such name" in its name.')).toBeVisible();
});

test('the recycle bin finds what was deleted at any depth and brings back one or many', async ({
  signedIn: page,
  secrets,
}) => {
  for (const path of ['app/one', 'app/deep/two', 'app/three', 'app/kept']) {
    for (const value of ['a', 'b']) await secrets.write(path, { value });
  }
  await secrets.take('delete', 'app/one', [2]);
  await secrets.take('delete', 'app/deep/two', [1, 2]);
  await secrets.take('delete', 'app/three', [2]);
  await secrets.take('delete', 'app/kept', [1]);
  const folder = new SecretFolderPage(page, secrets);
  await folder.open('app');
  await folder.choose('Recycle bin');
  const bin = page.getByRole('grid', { name: 'Deleted below app' });
  const rows = bin.getByRole('rowheader');
  await expect(rows).toHaveText(['app/one', 'app/three', 'app/deep/two']);
  await expect(folder.progress).toHaveText('Looked at all 4 secrets in 2 folders.');
  await clickRowAction(page, 'app/deep/two', 'Undelete all 2 versions');
  await expectToast(page, '1 secret undeleted');
  expect(await secrets.read('app/deep/two', 1)).toEqual({ value: 'a' });
  await bin.getByRole('checkbox', { name: 'Select app/one' }).click();
  await bin.getByRole('checkbox', { name: 'Select app/three' }).click();
  await page.getByRole('button', { name: 'Undelete', exact: true }).click();
  await expectToast(page, '2 secrets undeleted');
  expect(await secrets.read('app/three')).toEqual({ value: 'b' });
  await expect(page.getByText('Nothing below app was deleted that could be undeleted.')).toBeVisible();
  await page
    .getByRole('radiogroup', { name: 'What is looked for' })
    .getByText('All deleted versions', { exact: true })
    .click();
  await expect(rows).toHaveText(['app/kept']);
  await rows.getByRole('link').click();
  await expect(new SecretPage(page, secrets).version(1)).toContainText('Deleted');
});
