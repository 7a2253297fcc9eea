import type { Page } from '@playwright/test';
import type { SecretEngine } from '../../fixtures/secret-engine.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';

/** Signs a user in with these rights at the secrets server. */
async function withRules(
  page: Page,
  secrets: SecretEngine,
  rules: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const text = Object.entries(rules)
    .map(([path, capabilities]) => `path "MOUNT/${path}" { capabilities = ${JSON.stringify(capabilities)} }`)
    .join('\n');
  await secrets.connect(page, await secrets.token('own', text));
}

test('users who may list but not read see names and structure, and set fields unseen', async ({
  secrets,
  createPerson,
  openBrowser,
}) => {
  await secrets.write('app/db', { user: 'app', password: 'never seen', tls: { key: 'x', cert: 'y' } });
  const page = await openBrowser(await createPerson('read-only'));
  await withRules(page, secrets, {
    'metadata/*': ['list'],
    metadata: ['list'],
    'subkeys/*': ['read'],
    'data/*': ['patch'],
  });
  const folder = new SecretFolderPage(page, secrets);
  await folder.open();
  await folder.link('app/').click();
  await folder.link('db').click();
  const secret = new SecretPage(page, secrets);
  await expect(secret.fields).toHaveCount(3);
  await expect(secret.field('tls')).toContainText('key');
  await expect(page.getByRole('button', { name: 'Reveal password' })).toHaveAccessibleDescription(
    /let you see the names of fields, but not their values/,
  );

  await secret.edit.click();
  const form = new SecretForm(page, secrets);
  await expect(form.entry('password')).toContainText("You can't see this value.");
  await expect(form.form.getByRole('radiogroup', { name: 'Edit as' })).toHaveCount(0);
  await form.form.getByRole('button', { name: 'Replace password' }).click();
  await form.value('password').fill('set unseen');
  await form.remove('user');
  await form.saveVersion.click();
  await expectToast(page, `Version 2 of ${secrets.name('app/db')} saved`);
  expect(await secrets.read('app/db')).toEqual({ password: 'set unseen', tls: { key: 'x', cert: 'y' } });

  await secret.open('app/db', '?tab=versions');
  await expect(page.getByText('Open a version by number')).toBeVisible();
});

test('users who may only patch set and remove fields by name, and see none', async ({
  secrets,
  createPerson,
  openBrowser,
}) => {
  await secrets.write('app/db', { user: 'app', password: 'never seen', old: 'leave' });
  const page = await openBrowser(await createPerson('read-only'));
  await withRules(page, secrets, { 'data/*': ['patch'] });
  const secret = new SecretPage(page, secrets);
  await secret.open('app/db');
  await expect(page.getByRole('main').getByText('Version unknown')).toBeVisible();
  await expect(page.getByText(/^vault kv patch -mount=\S+ app\/db NAME=VALUE$/)).toBeVisible();
  await page.getByRole('link', { name: 'Edit fields by name' }).click();

  const form = new SecretForm(page, secrets);
  await expect(form.form.getByText('Your policies hide the stored secret')).toBeVisible();
  const name = form.form.getByLabel('Field name', { exact: true });
  await name.fill('password');
  await form.form.getByRole('button', { name: 'Set', exact: true }).click();
  await form.value('password').fill('set unseen');
  await name.fill('old');
  await form.form.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(form.entry('old')).toContainText('Removed');
  await name.fill('user');
  await form.form.getByRole('button', { name: 'Remove', exact: true }).click();
  await form.form.getByRole('button', { name: 'Undo user', exact: true }).click();
  await form.saveVersion.click();
  await expectToast(page, `Version 2 of ${secrets.name('app/db')} saved`);
  expect(await secrets.read('app/db')).toEqual({ user: 'app', password: 'set unseen' });
});

test("users who may only patch don't overwrite others' changes unseen either", async ({
  secrets,
  createPerson,
  openBrowser,
}) => {
  await secrets.write('db', { user: 'app', password: 'one' });
  const page = await openBrowser(await createPerson('read-only'));
  await withRules(page, secrets, { 'subkeys/*': ['read'], 'data/*': ['patch'], 'metadata/*': ['read'] });
  const form = new SecretForm(page, secrets);
  await form.open('db');
  await form.form.getByRole('button', { name: 'Replace password' }).click();
  await form.value('password').fill('mine');
  await secrets.write('db', { user: 'app', password: 'theirs', host: 'new' });
  await form.saveVersion.click();
  await expect(page.getByRole('region', { name: 'Changed since you opened it' })).toBeVisible();
  expect(await secrets.read('db')).toEqual({ user: 'app', password: 'theirs', host: 'new' });
});

test('readers see so at each action, and users who may not list see what is missing', async ({
  secrets,
  createPerson,
  openBrowser,
}) => {
  await secrets.write('db', { password: 'readable' });
  const reader = await openBrowser('read-only');
  const secret = new SecretPage(reader, secrets);
  await secret.open('db');
  await expect(secret.edit).toHaveAccessibleDescription(/Your policies don't allow this/);
  await secret.reveal('password');
  await expect(secret.field('password')).toContainText('readable');
  await reader.getByRole('button', { name: /^More actions for / }).click();
  await expect(reader.getByRole('menuitem', { name: /^Delete the newest version/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );

  const stranger = await openBrowser(await createPerson('read-only'));
  await withRules(stranger, secrets, { 'data/nothing': ['deny'] });
  const folder = new SecretFolderPage(stranger, secrets);
  await folder.open();
  await expect(stranger.getByRole('main').getByRole('alert')).toContainText(/not allow|policies/i);
  await new SecretPage(stranger, secrets).open('db');
  await expect(
    stranger
      .getByRole('main')
      .getByText(/policies/)
      .first(),
  ).toBeVisible();
});
