import { expectAccessible } from '../../fixtures/accessible.ts';
import { SecretEngine } from '../../fixtures/secret-engine.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectFieldError, expectToast, question } from '../../fixtures/vocabulary.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';
import { connectAgain } from '../../pages/session-dialogs.ts';

test('secrets and versions are created, changed and deleted', async ({ signedIn: page, secrets }) => {
  test.slow();
  await test.step('a secret is created in a folder, listed, read, replaced and patched', async () => {
    const folder = new SecretFolderPage(page, secrets);
    await page.goto('/local/secrets');
    await page.getByRole('grid', { name: 'Engines' }).getByRole('link', { name: secrets.mount }).click();
    await expect(page.getByText(`No secrets in ${secrets.mount} yet`)).toBeVisible();
    await page.getByRole('link', { name: 'Create a secret here' }).click();
    const form = new SecretForm(page, secrets);
    await form.path.fill('app/database');
    await form.add('username', 'orders');
    await form.add('password', 'a first one');
    await form.saveVersion.click();
    await expectToast(page, `${secrets.name('app/database')} saved`);
    const secret = new SecretPage(page, secrets);
    await expect(secret.heading).toHaveText('database');
    expect(await secrets.read('app/database')).toEqual({ username: 'orders', password: 'a first one' });

    await expect(secret.fields).toHaveCount(2);
    await expect(secret.field('password')).toContainText('(masked)');
    await secret.reveal('password');
    await expect(secret.field('password')).toContainText('a first one');
    await expect(secret.field('username')).toContainText('(masked)');

    await secret.edit.click();
    await form.change('password', 'a second one');
    await form.remove('username');
    await form.add('port', '5432');
    await expect(form.count).toHaveText('3 changes');
    await form.save('Save as version 2').click();
    await expectToast(page, `Version 2 of ${secrets.name('app/database')} saved`);
    expect(await secrets.read('app/database')).toEqual({ password: 'a second one', port: '5432' });

    await secret.edit.click();
    await form.saveAs('Patch changed fields');
    await form.remove('port');
    await form.change('password', 'a third one');
    const patched = page.waitForRequest((request) => request.method() === 'PATCH');
    await form.save('Save as version 3').click();
    expect((await patched).postDataJSON()).toEqual({
      data: '{"port":null,"password":"a third one"}',
      readable: true,
    });
    await expectToast(page, `Version 3 of ${secrets.name('app/database')} saved`);
    expect(await secrets.read('app/database')).toEqual({ password: 'a third one' });

    await folder.open();
    await folder.link('app/').click();
    await expect(folder.rows(folder.names)).toHaveText(['database']);
    await expect(folder.tree.getByRole('treeitem', { name: 'app' })).toBeVisible();
    await folder.link('database').click();
    await expect(secret.field('password')).toContainText('(masked)');
  });
  await test.step('versions are compared, restored, deleted, undeleted and destroyed, then all are removed', async () => {
    for (const password of ['one', 'two', 'three', 'four'])
      await secrets.write('db', { password, user: 'app' });
    const secret = new SecretPage(page, secrets);
    await secret.open('db', '?tab=versions');
    await expect(secret.timeline.getByRole('rowheader')).toHaveText([
      /Version 4.*Current/,
      /Version 3/,
      /Version 2/,
      /Version 1/,
    ]);

    await secret.select(4, 2);
    await secret.bulk('Compare').click();
    await expect(secret.comparison).toContainText('Both versions have the same fields');
    await secret.comparison.getByRole('button', { name: 'Compare the values' }).click();
    await expect(secret.comparison.getByRole('button', { name: 'Reveal password' })).toBeVisible();
    await expect(secret.comparison).not.toContainText('four');
    await secret.comparison.getByRole('button', { name: 'Reveal password' }).click();
    await expect(secret.comparison).toContainText('two');
    await expect(secret.comparison).toContainText('four');
    await secret.comparison.getByRole('button', { name: 'Restore version 2' }).click();
    const ask = question(page);
    await ask.getByRole('button', { name: 'Restore version 2' }).click();
    await expectToast(page, 'Version 2 of db restored');
    expect(await secrets.read('db')).toEqual({ password: 'two', user: 'app' });

    await secret.choose('Delete the newest version');
    await expectToast(page, 'Deleted version 5 of db');
    await expect(secret.version(5)).toContainText('Deleted');
    await clickRowAction(page, 'Version 5', 'Undelete');
    await expectToast(page, 'Undeleted version 5 of db');
    await expect(secret.version(5)).toContainText('Readable');
    expect(await secrets.read('db')).toEqual({ password: 'two', user: 'app' });

    // After a reload, nothing is selected.
    await page.goto(`${secrets.place('secret', 'db')}?tab=versions`);
    await secret.select(3, 1);
    await secret.bulk('Delete').click();
    await expectToast(page, 'Deleted versions 1 and 3 of db');
    expect((await secrets.metadata('db')).versions['3']?.deletion_time).not.toBe('');
    await secret.bulk('Undelete').click();
    await expectToast(page, 'Undeleted versions 1 and 3 of db');
    expect((await secrets.metadata('db')).versions['3']?.deletion_time).toBe('');

    await clickRowAction(page, 'Version 1', 'Delete permanently');
    await ask.getByRole('textbox', { name: 'Type db to confirm' }).fill('db');
    await ask.getByRole('button', { name: 'Delete 1 version permanently' }).click();
    await expect(secret.version(1)).toContainText('Destroyed');
    expect((await secrets.metadata('db')).versions['1']?.destroyed).toBe(true);

    await secret.choose('Delete permanently');
    await ask.getByRole('textbox').fill(secrets.name('db'));
    await ask.getByRole('button', { name: 'Delete permanently' }).click();
    await expectToast(page, `${secrets.name('db')} deleted permanently`);
    await expect(page).toHaveURL(new RegExp(`${secrets.place('folder')}$`));
    expect(await secrets.has('db')).toBe(false);
  });
  await test.step('the newest version is deleted without a question outside production, and can be undeleted', async () => {
    await secrets.write('again', { value: 'one' });
    const secret = new SecretPage(page, secrets);
    await secret.open('again');
    await secret.choose('Delete the newest version');
    await expectToast(page, 'Deleted version 1 of again');
    await expect(page.getByRole('alertdialog', { name: 'Delete version 1 of again?' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Undelete', exact: true }).click();
    await expectToast(page, 'Undeleted version 1 of again');
    expect(await secrets.read('again')).toEqual({ value: 'one' });

    // After the notification has gone, the page itself offers it.
    await secrets.take('delete', 'again', [1]);
    await page.reload();
    await page.getByRole('button', { name: 'Undelete version 1' }).click();
    await expect(secret.field('value')).toBeVisible();
    expect(await secrets.read('again')).toEqual({ value: 'one' });
  });
});

test("a secret's metadata and an engine's settings are read and changed", async ({
  signedIn: page,
  secrets,
  openBrowser,
  createPerson,
}) => {
  await test.step('metadata is read, patched and, if only that is allowed, replaced', async () => {
    await secrets.write('db', { password: 'one' });
    await secrets.setMetadata('db', { custom_metadata: { owner: 'ines', purpose: 'tests' } });
    const secret = new SecretPage(page, secrets);
    await secret.open('db', '?tab=metadata');
    await expect(secret.value('owner')).toContainText('ines');
    await page.getByRole('button', { name: 'Edit metadata' }).click();
    const form = new RecordForm(page, 'metadata of the secret');
    await form.form.getByLabel('Value of owner').fill('tomasz');
    await form.field('Versions to keep').fill('25');
    const patched = page.waitForRequest((request) => request.method() === 'PATCH');
    await form.save('Save metadata').click();
    expect((await patched).postDataJSON()).toEqual({
      max_versions: 25,
      custom_metadata: { owner: 'tomasz' },
    });
    await expect(secret.value('owner')).toContainText('tomasz');
    expect(await secrets.metadata('db')).toMatchObject({
      max_versions: 25,
      custom_metadata: { owner: 'tomasz', purpose: 'tests' },
      current_version: 1,
    });

    const other = await openBrowser(await createPerson());
    await secrets.connect(
      other,
      await secrets.token(
        'metadata',
        `path "MOUNT/metadata/*" { capabilities = ["read", "list", "create", "update"] }
         path "MOUNT/config" { capabilities = ["read"] }`,
      ),
    );
    await other.goto(secrets.place('metadata', 'db'));
    const theirs = new RecordForm(other, 'metadata of the secret');
    await theirs.form.getByRole('button', { name: 'Remove purpose' }).click();
    const written = other.waitForRequest((request) => request.method() === 'PUT');
    await theirs.save('Save metadata').click();
    await written;
    await expectToast(other, 'Metadata of db saved');
    expect((await secrets.metadata('db')).custom_metadata).toEqual({ owner: 'tomasz' });
  });
  await test.step('a date in the metadata is on Overview, before and after it has come', async () => {
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await secrets.setMetadata('db', { custom_metadata: { expires: soon, rotate_by: '2026-01-31' } });
    const secret = new SecretPage(page, secrets);
    await page.goto(`${secrets.place('secret', 'db')}?tab=metadata`);
    await expect(secret.value('rotate_by')).toContainText('ago');
    await page.goto('/local');
    await expect(page.getByText(`Secret ${secrets.name('db')} is due for rotation`)).toBeVisible();
    await page.getByRole('region', { name: 'Secrets' }).getByRole('link', { name: 'Expiry of db' }).click();
    await expect(secret.heading).toHaveText('db');
  });
  await test.step("an engine's settings are read and changed, with their consequences", async () => {
    const folder = new SecretFolderPage(page, secrets);
    await folder.open();
    await folder.choose('Engine settings');
    const form = new RecordForm(page, 'engine');
    await form.field('Versions to keep').fill('3');
    await form.field('Delete versions after').fill('90d');
    await form.form.getByText('Require check-and-set').click();
    await expect(page.getByRole('region', { name: 'Effects of saving' })).toBeVisible();
    await form.save('Save settings').click();
    await question(page).getByRole('textbox').fill(secrets.mount);
    await page.keyboard.press('Enter');
    await expectToast(page, `Settings of ${secrets.mount} saved`);
    expect(await secrets.config()).toMatchObject({ max_versions: 3, cas_required: true });

    const reader = await openBrowser('operator');
    await reader.goto(secrets.settings);
    await expect(reader.getByText('Read-only', { exact: true })).toBeVisible();
  });
  await test.step('an engine is mounted, from anywhere by the palette', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('new engine');
    await expect(page.getByRole('menuitem').first()).toContainText('New engine');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New engine' });
    await dialog.getByLabel('Mount path').fill(secrets.mount);
    await page.keyboard.press('Enter');
    await expectFieldError(dialog, 'Mount path', /An engine is already mounted at this path\./);
    await dialog.getByLabel('Mount path').fill(`${secrets.mount}-more`);
    await dialog.getByLabel('Description').fill('Of this test');
    await page.keyboard.press('Enter');
    await expectToast(page, `Engine ${secrets.mount}-more mounted`);
    await expect(page.getByText(`No secrets in ${secrets.mount}-more yet`)).toBeVisible();
    await page.goto('/local/secrets');
    const row = page.getByRole('row', { name: new RegExp(`^${secrets.mount}-more`) });
    await expect(row).toContainText('Of this test');
    await expect(row).toContainText('Empty');
  });
  const mount = `${secrets.mount}-more`;
  const engines = page.getByRole('row', { name: new RegExp(`^${mount}`) });
  await test.step('its description is changed with its settings', async () => {
    await page.goto(`/local/secrets/${mount}/settings`);
    const form = new RecordForm(page, 'engine');
    await form.field('Description').fill('Of another test');
    await form.save('Save settings').click();
    await expectToast(page, `Settings of ${mount} saved`);
    await page.getByRole('link', { name: 'Secrets', exact: true }).first().click();
    await expect(engines).toContainText('Of another test');
  });
  await test.step('an engine is unmounted with everything in it', async () => {
    await page.goto(`/local/secrets/${mount}/settings`);
    await page.getByRole('button', { name: 'Unmount', exact: true }).click();
    const dialog = question(page);
    await expect(dialog).toContainText('All its secrets are deleted, with all their versions');
    await expectAccessible(page, 'unmounting an engine');
    await dialog.getByRole('textbox').fill(mount);
    await dialog.getByRole('button', { name: 'Unmount engine' }).click();
    await expectToast(page, `Engine ${mount} unmounted`);
    await expect(page).toHaveURL(/\/local\/secrets$/);
    await expect(page.getByRole('row', { name: new RegExp(`^${secrets.mount}`) })).toHaveCount(1);
  });
});

test('a secret is compared with the one in another environment, of which only names are shown', async ({
  signedIn: page,
  secrets,
  stack,
}) => {
  const there = await SecretEngine.mount(stack, secrets.mount, 'production');
  try {
    await secrets.write('db', { user: 'app', password: 'one' });
    await there.write('db', { user: 'app', password: 'two', port: 5432 });
    const secret = new SecretPage(page, secrets);
    await secret.open('db');
    const card = page.getByRole('group', { name: 'In other environments' });
    const row = card.getByRole('listitem').filter({ hasText: 'Production' });
    await row.getByRole('link', { name: 'Connect first' }).click();
    await page
      .getByRole('group', { name: /^Production/ })
      .getByRole('button', { name: 'Connect 4 services' })
      .click();
    await connectAgain(page, 'services of Production', 'Connect 4 services').enter(password);
    await expectToast(
      page,
      'Connected to the access controller, secrets server, box registry, and module registry of Production',
    );
    await secret.open('db');
    await row.getByRole('button', { name: 'Compare with Production' }).click();
    await expect(row.getByRole('status')).toContainText('Different: password.Only in Production: port.');
    await expectAccessible(page, 'a secret compared with another environment');
    await row.getByRole('link', { name: 'Open it in Production' }).click();
    await expect(page).toHaveURL(new RegExp(`/production/secrets/${secrets.mount}/secret/db$`));
  } finally {
    await there.unmount();
  }
});
