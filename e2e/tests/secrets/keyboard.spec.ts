import { expect, test } from '../../fixtures/test.ts';
import { expectToast, press, tabTo } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';

test('a secret is created, revealed, edited and its conflict resolved with only the keyboard', async ({
  signedIn: page,
  secrets,
}) => {
  const folder = new SecretFolderPage(page, secrets);
  await folder.open();
  await expect(folder.create).toBeVisible();
  await press(page, 'c');
  const form = new SecretForm(page, secrets);
  await expect(form.path).toBeFocused();
  await page.keyboard.type('app/db');
  await tabTo(page, form.form.getByLabel('New field name', { exact: true }));
  await page.keyboard.type('password');
  await press(page, 'Enter');
  await expect(form.value('password')).toBeFocused();
  await page.keyboard.type('a first one');
  await press(page, 'Control+s');
  await expectToast(page, `${secrets.name('app/db')} saved`);

  const secret = new SecretPage(page, secrets);
  await expect(secret.edit).toBeVisible();
  await expect(secret.field('password')).toContainText('(masked)');
  await press(page, 'v');
  await expect(secret.field('password')).toContainText('a first one');
  await press(page, 'e');
  await tabTo(page, form.form.getByRole('button', { name: 'Reveal to edit password' }));
  await press(page, 'Enter');
  await tabTo(page, form.value('password'));
  await press(page, 'Control+a');
  await page.keyboard.type('mine');
  await secrets.write('app/db', { password: 'theirs' });
  await press(page, 'Control+s');
  const conflict = new ConflictView(page);
  await expect(conflict.summary).toBeFocused();
  await press(page, 'Control+s');
  await tabTo(page, conflict.option('password', 'Keep current'));
  await press(page, 'Space', 'ArrowRight');
  await expect(conflict.option('password', 'Use mine')).toBeChecked();
  await press(page, 'Control+s');
  await expectToast(page, `Version 3 of ${secrets.name('app/db')} saved`);
  expect(await secrets.read('app/db')).toEqual({ password: 'mine' });

  await expect(secret.edit).toBeVisible();
  await expect(secret.field('password')).toContainText('(masked)');
  await press(page, 'u');
  await expect(folder.rows(folder.names)).toHaveText(['db']);
  await press(page, '/');
  await expect(folder.search).toBeFocused();
  await page.keyboard.type('db');
  await expect(folder.rows(folder.found)).toHaveText(['db']);
});
