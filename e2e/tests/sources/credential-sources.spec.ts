import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, question, visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';

test('credential stores and credentials: created, edited, never shown, retired, deleted', async ({
  signedIn: page,
  project,
  controller,
  sources,
  createTarget,
}) => {
  test.slow();
  await test.step('a store and a credential of every type: created, edited, deleted', async () => {
    await page.goto('/local/credential-sources/new');
    const store = new RecordForm(page, 'credential store');
    await store.field('Name').fill('logins');
    await store.form.getByRole('combobox', { name: 'Project' }).fill(project.name);
    await page.getByRole('option', { name: project.name }).click();
    await store.save('Create credential store').click();
    await expectToast(page, 'Credential store logins created');
    await expect(page.getByRole('heading', { level: 1, name: 'logins' })).toBeVisible();
    const storeUrl = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await store.field('Description').fill('of the databases');
    await store.save('Save credential store').click();
    await expectToast(page, 'Credential store logins saved');

    const types: readonly { type: string; name: string; fields: Readonly<Record<string, string>> }[] = [
      { type: 'User name and password', name: 'up', fields: { 'User name': 'app', Password: 'secret one' } },
      {
        type: 'User name, password and domain',
        name: 'upd',
        fields: { 'User name': 'app', Domain: 'corp.example', Password: 'secret two' },
      },
      { type: 'Password', name: 'p', fields: { Password: 'secret three' } },
      { type: 'SSH private key', name: 'ssh', fields: { 'User name': 'root', 'Private key': privateKey } },
      { type: 'JSON', name: 'json', fields: { Object: '{"token": "secret four"}' } },
    ];
    const form = new RecordForm(page, 'credential');
    for (const { type, name, fields } of types) {
      await visit(page, `${storeUrl}/credentials/new`);
      await form.form.getByRole('radiogroup', { name: 'Type' }).getByText(type, { exact: true }).click();
      await form.field('Name').fill(name);
      for (const [label, value] of Object.entries(fields)) await form.field(label).fill(value);
      if (name === 'ssh') {
        await form.field('Private key').fill(encryptedKey);
        await form.save('Create credential').click();
        await expectFieldError(form.form, 'Passphrase', /encrypted and requires its passphrase/);
        await form.field('Private key').fill(privateKey);
        await expectAccessible(page, 'new credential');
      }
      await form.save('Create credential').click();
      await expectToast(page, `Credential ${name} created`);
    }
    await visit(page, storeUrl);
    const grid = page.getByRole('grid', { name: 'Credentials' });
    for (const { name } of types) await expect(grid.getByRole('link', { name, exact: true })).toBeVisible();
    await expectAccessible(page, 'credential store');

    await page.getByRole('button', { name: 'More actions for logins' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete credential store logins?' });
    await expect(dialog).toContainText('Deleted with it: 5 credentials.');
    await dialog.getByRole('textbox').fill('logins');
    await dialog.getByRole('button', { name: 'Delete credential store' }).click();
    await expectToast(page, 'Credential store logins deleted');
    await expect(controller.read('credential-stores', storeUrl.split('/').at(-1) ?? '')).rejects.toThrow(
      '404',
    );
  });
  await test.step('a secret is written and never shown, and errors are reported beside it', async () => {
    const credential = await sources.credential('app');
    const here = await sources.placeOfCredential(credential);
    await visit(page, here);
    await expect(page.getByText("It can't be shown, only replaced.")).toBeVisible();
    await expectAccessible(page, 'credential');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = new RecordForm(page, 'credential');
    await expect(form.field('New password')).toHaveValue('');
    await expect(form.field('New password')).toHaveAccessibleDescription(
      /can't see this value, but you can set/,
    );
    await expectAccessible(page, 'editing a credential');
    await form.field('User name').fill('');
    await form.save('Save credential').click();
    await expectFieldError(form.form, 'User name', /Enter the user name/);
    await form.field('User name').fill('app2');
    await form.field('New password').fill('a second secret');
    await form.review.click();
    await expect(form.changes).toContainText('••••••••');
    await expect(form.changes).not.toContainText('a second secret');
    await form.replaceSecret('Save credential', 'app');
    await expectToast(page, 'Credential app saved');
    expect((await controller.read('credentials', credential.id)).version).toBe(2);
  });
  await test.step('a secret changed by both sides is decided, and neither value is shown', async () => {
    const credential = await sources.credential('both');
    const here = await sources.placeOfCredential(credential);
    await visit(page, `${here}/edit`);
    const form = new RecordForm(page, 'credential');
    await form.field('New password').fill('my new secret');
    await controller.update('credentials', credential.id, 1, {
      attributes: { password: 'their new secret' },
    });
    await form.replaceSecret('Save credential', 'both');
    const conflict = new ConflictView(page);
    await expect(conflict.title).toHaveText('1 field has conflicting changes');
    await expect(conflict.section).not.toContainText('new secret');
    await conflict.choose('Password', 'Use mine');
    await form.replaceSecret('Save credential', 'both');
    await expectToast(page, 'Credential both saved');
    expect((await controller.read('credentials', credential.id)).version).toBe(3);
  });
  await test.step('a retired and deleted credential is removed from all kinds of links', async () => {
    const [old, next] = [await sources.credential('old-login'), await sources.credential('new-login')];
    const target = await createTarget({ type: 'ssh' });
    await controller.act('targets', target.id, 'set-credential-sources', target.version, {
      brokered_credential_source_ids: [old.id],
      injected_application_credential_source_ids: [old.id],
    });
    const here = await sources.placeOfCredential(old);
    await visit(page, here);
    await expect(page.getByRole('list', { name: 'Targets that use it' })).toContainText(
      'brokered credentials, injected application credentials',
    );
    await page.getByRole('link', { name: 'Replace', exact: true }).click();
    await page.getByRole('combobox', { name: 'Replacement' }).fill('new');
    await page.getByRole('option', { name: /^new-login/ }).click();
    await page.getByRole('button', { name: 'Replace in 1 target' }).click();
    await expect(page.getByText('old-login replaced')).toBeVisible();
    expect((await controller.read('targets', target.id)).members).toMatchObject({
      brokered_credential_source_ids: [next.id],
      injected_application_credential_source_ids: [next.id],
    });
    await page.getByRole('link', { name: 'Back to old-login' }).click();
    await expect(page.getByText('No target you can see uses it.')).toBeVisible();
    await page.getByRole('button', { name: 'More actions for old-login' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await question(page).getByRole('textbox').fill('old-login');
    await question(page).getByRole('button', { name: 'Delete credential' }).click();
    await expectToast(page, 'Credential old-login deleted');
  });
});

const privateKey = [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW',
  '-----END OPENSSH PRIVATE KEY-----',
].join('\n');

const encryptedKey = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'Proc-Type: 4,ENCRYPTED',
  'DEK-Info: AES-128-CBC,61A4217F3CC0A1AA6E194A1E1402A854',
  '',
  'lCboOft6o0Y=',
  '-----END RSA PRIVATE KEY-----',
].join('\n');
