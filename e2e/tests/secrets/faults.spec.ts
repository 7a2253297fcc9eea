import { expectRecovered } from '../../fixtures/recovered.ts';
import { expect, test } from '../../fixtures/test.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';

test('sealed, unreachable and missing servers and missing accounts are distinguished, and an edit survives them', async ({
  stack,
  signedIn: page,
  secrets,
  createPerson,
  openBrowser,
}) => {
  const [environment] = stack.environments;
  await secrets.write('db', { password: 'one' });
  const form = new SecretForm(page, secrets);
  await form.open('db');
  await form.change('password', 'mine');
  const other = await openBrowser();
  await secrets.seal();
  await form.saveVersion.click();
  await expect(form.problem).toContainText('is sealed');
  await expect(form.value('password')).toHaveValue('mine');
  const folder = new SecretFolderPage(other, secrets);
  await folder.open();
  await expect(other.getByRole('main').getByRole('alert')).toContainText('is sealed');

  await environment?.secrets.stop();
  await form.saveVersion.click();
  await expect(form.problem).toContainText(/can't be reached|didn't respond|won't respond/);
  await expect(form.count).toHaveText('1 change');
  await other.reload();
  await expect(other.getByRole('main').getByRole('alert')).toContainText(
    /can't be reached|didn't respond|won't respond/,
  );

  // It unseals automatically at the start.
  await environment?.secrets.start();
  await form.saveVersion.click();
  await expect.poll(() => secrets.read('db')).toEqual({ password: 'mine' });
  await expectRecovered(other.getByRole('button', { name: 'Retry' }), folder.link('db'));

  await other.goto(secrets.place('secret', 'no/such secret'));
  await expect(other.getByRole('main').getByRole('alert')).toContainText(/not there|no secret|not found/i);
  await other.goto(`/local/secrets/no-such-engine/folder`);
  await expect(other.getByRole('main')).toContainText(/no-such-engine/);

  const person = await createPerson('read-only');
  await stack.accounts.update(person.id, 1, { roles: { secrets: null } });
  const stranger = await openBrowser(person);
  await stranger.goto('/local/secrets');
  await expect(stranger.getByRole('region', { name: 'No access' })).toBeVisible();
});
