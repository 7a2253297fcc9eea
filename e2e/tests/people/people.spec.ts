import { expectAccessible } from '../../fixtures/accessible.ts';
import { consoleHeaders, signInThroughApi } from '../../fixtures/sign-in.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import {
  clickRowAction,
  expectNoRow,
  expectRowVisible,
  expectToast,
  openScreen,
  question,
  visit,
} from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { PeoplePage } from '../../pages/people-page.ts';
import { isItYou } from '../../pages/session-dialogs.ts';
import { Shell } from '../../pages/shell.ts';

const access = '/api/environments/local/access';

test('a person is created with roles, and can sign in with the password that is shown once', async ({
  signedIn: page,
  browser,
  baseURL,
}) => {
  const people = new PeoplePage(page);
  await people.open();
  await page.getByRole('link', { name: 'New person' }).click();
  const login = `made.${Date.now().toString(36)}`;
  await people.field('Login name').fill(login);
  await people.field('Full name').fill('Made Here');
  await people.chooseRole('Access controller', 'Operator');
  await expectAccessible(page, 'form of a new person');
  await people.save.click();
  await isItYou(page).enter(password);
  const shown = page.getByRole('dialog', { name: `${login} was created` });
  await expect(shown).toBeVisible();
  await expectAccessible(page, 'password shown once');
  await expect(shown).toContainText('••••');
  await shown.getByRole('button', { name: 'Reveal password' }).click();
  await expect(shown).not.toContainText('••••');
  const secret = /[A-Za-z2-9]{4}(?:-[A-Za-z2-9]{4}){4}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  expect(secret).not.toBe('');
  // Only its button closes it.
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'Done' }).click();
  await expectRowVisible(people.grid, {
    'Login name': login,
    'Full name': 'Made Here',
    'Access controller': 'Operator',
    'Secrets server': 'No access',
  });
  expect(await page.content()).not.toContain(secret);
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  await signInThroughApi(context.request, login, secret);
  await context.close();
});

test('names and roles changed by two users are merged or decided', async ({
  signedIn: page,
  createPerson,
  openBrowser,
}) => {
  const person = await createPerson('operator');
  const mine = new PeoplePage(page);
  await mine.openPerson(person.id);
  await mine.field('Full name').fill('Mine');
  await mine.chooseRole('Secrets server', 'Reader');

  const other = await openBrowser('administrator');
  const theirs = new PeoplePage(other);
  await theirs.openPerson(person.id);
  await theirs.field('Full name').fill('Theirs');
  await theirs.chooseRole('Box registry', 'No access');
  await theirs.save.click();
  await isItYou(other).enter(password);
  await expectToast(other, 'Theirs saved');

  await mine.save.click();
  await isItYou(page).enter(password);
  const conflict = new ConflictView(page);
  await expect(conflict.title).toHaveText('1 field has conflicting changes');
  await conflict.choose('Full name', 'Use mine');
  await expectAccessible(page, 'conflict about a person');
  await mine.save.click();
  await expectToast(page, 'Mine saved');
  await page.goto(`/local/people/${person.id}/edit`);
  await expect(mine.field('Full name')).toHaveValue('Mine');
  await expect(mine.role('Secrets server').getByRole('radio', { checked: true })).toHaveAccessibleName(
    /^Reader/,
  );
  await expect(mine.role('Box registry').getByRole('radio', { checked: true })).toHaveAccessibleName(
    /^No access/,
  );
});

test('a password is reset, a person is disabled, and deleted', async ({
  signedIn: page,
  createPerson,
  openBrowser,
}) => {
  const person = await createPerson('operator');
  const theirPage = await openBrowser(person);
  await theirPage.goto('/local/targets');
  const people = new PeoplePage(page);
  await people.open();
  await page.getByRole('searchbox').fill(person.loginName);
  await clickRowAction(page, person.fullName, 'Reset the password');
  await question(page).getByRole('textbox').fill(person.loginName);
  await question(page).getByRole('button', { name: 'Reset password' }).click();
  await isItYou(page).enter(password);
  const shown = page.getByRole('dialog', { name: `New password of ${person.fullName}` });
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: person.loginName }).click();
  const activity = page.getByRole('group', { name: 'Recent activity' });
  await expect(activity).toContainText('Last sign-in: ');
  await expect(activity.getByRole('link', { name: 'Console session: sign in' })).toBeVisible();
  await expect(page.getByText('Enabled', { exact: true })).toBeVisible();
  await expectAccessible(page, 'page of a person');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await people.form.getByText('Disabled', { exact: true }).click();
  await people.save.click();
  await expectToast(page, `${person.fullName} saved`);
  await expect(page.getByText("Disabled: can't sign in")).toBeVisible();
  await page.getByRole('button', { name: `More actions for ${person.fullName}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const confirm = question(page);
  await confirm.getByRole('textbox').fill(person.loginName);
  await expectAccessible(page, 'asked to delete');
  await confirm.getByRole('button', { name: 'Delete person' }).click();
  await expectToast(page, `${person.fullName} deleted`);
  await expectNoRow(people.grid, { 'Login name': person.loginName });
});

test('a person is locked out: signed out, disabled, and without open sessions on targets', async ({
  signedIn: page,
  createPerson,
  createTarget,
  openBrowser,
}) => {
  const person = await createPerson('operator');
  const target = await createTarget();
  const theirPage = await openBrowser(person);
  await theirPage.goto('/local/targets');
  const authorized = await theirPage
    .context()
    .request.post(`${access}/targets/${target.id}/authorize-session`, { headers: consoleHeaders, data: {} });
  expect(authorized.status()).toBe(200);
  await page.goto(`/local/people/${person.id}`);
  const sessions = page.getByRole('group', { name: 'Open sessions' });
  await expect(sessions).toContainText('Pending');
  await expect(sessions.getByRole('link', { name: target.name })).toHaveAttribute(
    'href',
    `/local/targets/${target.id}`,
  );
  const tokens = page.getByRole('group', { name: 'Tokens at the secrets server' });
  await expect(tokens.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Lock out' }).click();
  const dialog = page.getByRole('alertdialog', { name: `Lock out ${person.fullName}?` });
  await expect(dialog).toContainText("aren't connected to the access controller of Production");
  await expect(dialog.getByText('Enabled now', { exact: true })).toBeVisible();
  await expectAccessible(page, 'asked to lock out');
  await dialog.getByRole('button', { name: 'Lock out' }).click();
  await isItYou(page).enter(password);
  const report = page.getByRole('dialog', {
    name: `${person.fullName} is locked out`,
    exact: true,
  });
  await expect(report).toContainText(
    'Locked out. Signed out of the console. 1 session on targets is being canceled.',
  );
  await expect(report).toContainText("The account there is the same, so they can't sign in.");
  await expectAccessible(page, 'report of a lock-out');
  await report.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText("Disabled: can't sign in")).toBeVisible();
  await expect(sessions).not.toContainText('Pending');
  await expect(tokens).toContainText('None from sign-ins with this login name.');
  await theirPage.reload();
  await expect(theirPage.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Lock out' })).toBeHidden();
  await page.getByRole('button', { name: 'Let in again' }).click();
  const letIn = page.getByRole('alertdialog', { name: `Let ${person.fullName} in again?` });
  await expect(letIn).toContainText('in Local and Production, which have the same accounts.');
  await expectAccessible(page, 'asked to let in again');
  await letIn.getByRole('button', { name: 'Let in again' }).click();
  await expectToast(page, `${person.fullName} can sign in again in Local and Production`);
  await expect(page.getByText('Enabled', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Lock out' })).toBeVisible();
  await page.goto('/local/people');
  await page.getByRole('link', { name: 'admin', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Lock out' })).toHaveAccessibleDescription(
    "You can't lock out yourself.",
  );
  const own = page.getByRole('group', { name: 'Your tokens at registries' });
  await expect(own.getByRole('link')).toHaveCount(2);
  await expectAccessible(page, 'page of the own account');
  await own.getByRole('link').last().click();
  await expect(page).toHaveURL(/\/local\/modules\/tokens$/);
});

test('a person is signed out of the console by a user who can edit them', async ({
  signedIn: page,
  createPerson,
  openBrowser,
}) => {
  const person = await createPerson('operator');
  const theirPage = await openBrowser(person);
  await theirPage.goto('/local/targets');
  await page.goto(`/local/people/${person.id}`);
  const sessions = page.getByRole('group', { name: 'Sessions of the console' });
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await sessions.getByRole('button', { name: 'Sign out' }).click();
  const dialog = page.getByRole('alertdialog', { name: `Sign ${person.fullName} out of the console?` });
  await expectAccessible(page, 'asked to sign a person out');
  await dialog.getByRole('button', { name: 'End 1 session' }).click();
  await expectToast(page, `1 session of ${person.fullName} ended`);
  await expect(sessions).toContainText('Not signed in to this console.');
  await theirPage.reload();
  await expect(theirPage.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('users change their own password in the menu, and keep their session', async ({
  createPerson,
  openBrowser,
}) => {
  const person = await createPerson('operator');
  const page = await openBrowser(person);
  await page.goto('/local/targets');
  const shell = new Shell(page);
  await shell.you.click();
  await page.getByRole('menuitem', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your password' });
  await dialog.getByLabel('Current password').fill('not it at all');
  await dialog.getByLabel('New password', { exact: true }).fill('another good one');
  await dialog.getByLabel('Repeat new password').fill('another good on');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText("The new passwords don't match.")).toBeVisible();
  await dialog.getByLabel('Repeat new password').fill('another good one');
  await expectAccessible(page, 'change of the own password');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog.getByText("This isn't the current password.")).toBeVisible();
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expectToast(page, 'Password changed');
  await page.reload();
  await expect(page.getByRole('grid', { name: 'Targets' })).toBeVisible();
});

test("a person's page opens the reset of a second factor, and your own page where you manage yours", async ({
  createPerson,
  openBrowser,
}) => {
  const [you, other] = [await createPerson(), await createPerson()];
  const page = await openBrowser(you);
  const choose = async (of: typeof you, action: string) => {
    await openScreen(page, `/local/people/${of.id}`);
    await page.getByRole('button', { name: `More actions for ${of.fullName}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose(you, 'Manage your second factor');
  await expect(page.getByRole('heading', { name: 'Tokens and second factor' })).toBeVisible();
  await choose(other, 'Reset the second factor');
  await expect(question(page)).toContainText(other.loginName);
});

test('users without the right see why, and the service refuses', async ({ openBrowser, createPerson }) => {
  const person = await createPerson('read-only');
  for (const part of ['operator', 'read-only'] as const) {
    const page = await openBrowser(part);
    const people = new PeoplePage(page);
    await people.open();
    const create = page.getByRole('button', { name: 'New person' });
    await expect(create).toHaveAttribute('aria-disabled', 'true');
    await expect(create).toHaveAccessibleDescription(/doesn't let you create people/);
    await visit(page, `/local/people/${person.id}`);
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expect(page.getByRole('group', { name: 'Open sessions' })).toBeVisible();
    await visit(page, `/local/people/${person.id}/edit`);
    await expect(
      page.getByRole('paragraph').filter({ hasText: /doesn.t let you edit people/ }),
    ).toBeVisible();
    await expect(people.form).toHaveCount(0);
    await visit(page, '/local/people/new');
    await expect(page.getByRole('alert')).toContainText("You can't create people");
    const refused = await page.context().request.patch(`${access}/people/${person.id}`, {
      headers: { ...consoleHeaders, 'if-match': '"1"' },
      data: { roles: { access: 'administrator' } },
    });
    expect(refused.status()).toBe(403);
  }
});
