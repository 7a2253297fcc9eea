import { createCanaries } from '../../fixtures/canaries.ts';
import { expect, test } from '../../fixtures/test.ts';
import { setVisible } from '../../fixtures/visibility.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { scanPage } from '../../fixtures/watch.ts';
import { ActivityPage } from '../../pages/activity-page.ts';
import { ConnectionsPage } from '../../pages/connections-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';
import { signInAgain } from '../../pages/session-dialogs.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';

const value = 'kept-by-nobody-7f3a';

test('revealed values are recorded, and forgotten when the page is left', async ({
  signedIn: page,
  secrets,
}) => {
  test.slow();
  const values = createCanaries();
  values.add(value);
  await test.step('each reveal and copy is in the audit trail, by path and without the value', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await secrets.write('audited', { password: value, other: `${value} too` });
    const secret = new SecretPage(page, secrets);
    await secret.open('audited');
    const answered = page.waitForResponse((response) => response.url().endsWith('/reveal'));
    await secret.reveal('password');
    await expect(secret.field('password')).toContainText(value);
    // Values that nobody requested aren't in the page either.
    expect(await (await answered).text()).not.toContain(`${value} too`);
    await page.getByRole('button', { name: 'Hide password' }).click();
    await expect(secret.field('password')).not.toContainText(value);
    await page.getByRole('button', { name: 'Copy password', exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: 5000 })
      .toBe(value);

    const activity = new ActivityPage(page);
    await activity.open(`?resource=${encodeURIComponent(secrets.name('audited'))}`);
    await expect(activity.rows).toHaveCount(2);
    await expect(activity.rows.first()).toContainText(/reveal/i);
    await expect(activity.rows.first()).toContainText(secrets.name('audited'));
    for (const row of await activity.rows.all()) {
      await expect(row).toContainText('data.password');
      await expect(row).not.toContainText('data.other');
    }
    expect(await scanPage(page, values)).toEqual([]);
  });
  await test.step('the value check finds a pasted value in its version, and stores it nowhere', async () => {
    for (const password of ['one', value, 'three'])
      await secrets.write('compared', { user: 'app', deep: { password } });
    const secret = new SecretPage(page, secrets);
    await secret.open('compared');
    await expect(await secret.isThisIt(value)).toContainText('Equals deep.password in version 2, superseded');
    await expect(await secret.isThisIt('app')).toContainText('Equals user in version 3, the newest.');
    await expect(await secret.isThisIt('nothing of it')).toContainText(
      'No field in the 3 readable versions has this value.',
    );
    expect(await scanPage(page, values)).toEqual([]);
    await secrets.take('destroy', 'compared', [2]);
    await expect(await secret.isThisIt(value)).toContainText('Not compared');
  });
  await test.step('a value is nowhere before it is revealed, and after the page was left or the session ended', async () => {
    await secrets.write('db', { user: 'app', password: value });
    const secret = new SecretPage(page, secrets);
    await secret.open('db');
    await expect(secret.field('password')).toContainText('(masked)');
    expect(await scanPage(page, values)).toEqual([]);

    await secret.reveal('password');
    await expect(secret.field('password')).toContainText(value);
    await setVisible(page, false);
    await expect(secret.field('password')).toContainText('(masked)');
    await setVisible(page, true);
    await expect(page.getByText('The values were hidden because you left the page.')).toBeVisible();
    expect(await scanPage(page, values)).toEqual([]);

    await page.keyboard.press('v');
    await expect(secret.field('password')).toContainText(value);
    await secret.tab('Versions').click();
    await expect(secret.version(1)).toBeVisible();
    expect(await scanPage(page, values)).toEqual([]);

    const form = new SecretForm(page, secrets);
    const reveals: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/reveal')) reveals.push(request.postDataJSON());
    });
    await form.open('db');
    await expect(form.entry('password')).toContainText('(masked)');
    await form.replace('user', 'new app');
    await form.form.getByRole('button', { name: 'Generate a value for password' }).click();
    const generate = page.getByRole('dialog', { name: 'Generate a value for password' });
    await generate.getByLabel('Characters').fill('40');
    await generate.getByRole('button', { name: 'Use a new value' }).click();
    await expect(form.entry('password')).toContainText('Changed');
    await form.saveVersion.click();
    await expectToast(page, `Version 2 of ${secrets.name('db')} saved`);
    expect(await secrets.read('db')).toEqual({
      user: 'new app',
      password: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    });
    expect(reveals).toEqual([]);

    await secrets.write('db', { user: 'app', password: value });
    await form.open('db');
    await form.editAs('JSON');
    await expect(form.json).toContainText(value);
    await form.editAs('Fields');
    await form.form.getByRole('button', { name: 'Reveal to edit password' }).click();
    await expect(form.value('password')).toHaveValue(value);
    await setVisible(page, false);
    await expect(form.value('password')).toHaveCount(0);
    expect(await scanPage(page, values)).toEqual([]);
    await setVisible(page, true);

    await secret.open('db');
    await expect(secret.field('password')).toContainText('(masked)');
    await page.keyboard.press('v');
    await expect(secret.field('password')).toContainText(value);
    await new Shell(page).signOut();
    await expect(page).toHaveURL(/\/sign-in/);
    expect(await scanPage(page, values)).toEqual([]);
    await page.goBack();
    await expect(new SignInPage(page).heading).toBeVisible();
    expect(await scanPage(page, values)).toEqual([]);
  });
});

test('revealed values are forgotten when the session is ended elsewhere, without a request of the user', async ({
  createPerson,
  openBrowser,
  secrets,
}) => {
  const values = createCanaries();
  values.add(value);
  await secrets.write('ended', { password: value });
  const person = await createPerson();
  const [page, elsewhere] = [await openBrowser(person), await openBrowser(person)];
  await page.clock.install();
  const secret = new SecretPage(page, secrets);
  await secret.open('ended');
  await secret.reveal('password');
  await expect(secret.field('password')).toContainText(value);
  const connections = new ConnectionsPage(elsewhere);
  await connections.open();
  await connections.endOthers.click();
  await elsewhere.getByRole('button', { name: 'End 1 session' }).click();
  await expect(connections.sessions).toHaveCount(1);
  await page.clock.fastForward(31_000);
  await expect(signInAgain(page).dialog).toBeVisible();
  expect(await scanPage(page, values)).toEqual([]);
});
