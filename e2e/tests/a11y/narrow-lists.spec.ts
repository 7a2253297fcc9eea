import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, question, visit } from '../../fixtures/vocabulary.ts';
import { ActivityPage } from '../../pages/activity-page.ts';
import { PeoplePage } from '../../pages/people-page.ts';
import { AuthorizeDialog, SessionsPage } from '../../pages/sessions-page.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('sessions and the form that authorizes one fit a phone', async ({ signedIn: page, createTarget }) => {
  const target = await createTarget({ name: 'a-target-with-a-rather-long-name-for-a-telephone' });
  const made = await page
    .context()
    .request.post(`/api/environments/local/access/targets/${target.id}/authorize-session`, {
      headers: consoleHeaders,
      data: {},
    });
  const { session_id: id } = await made.json();
  const sessions = new SessionsPage(page);
  await sessions.open(`?target=${target.id}`);
  await expect(sessions.quiet).toBeVisible();
  await expectFits(page, 'sessions');
  await visit(page, `/local/sessions?target=${target.id}&session=${id}`);
  await expect(sessions.panel.getByText('States')).toBeVisible();
  await expectFits(page, 'a session');
  await expectAccessible(page, 'a session');
  await sessions.panel.getByRole('button', { name: 'Cancel session' }).click();
  await expect(question(page)).toBeVisible();
  await expectFits(page, 'asked to cancel');

  const dialog = new AuthorizeDialog(page);
  await dialog.open(target.id);
  await expectFits(page, 'asked for a session');
  await dialog.submit.click();
  await expect(dialog.command).toBeVisible();
  await expectFits(page, 'a session that was authorized');
});

test('people fit a phone', async ({ signedIn: page, createPerson }) => {
  const person = await createPerson('operator');
  const people = new PeoplePage(page);
  await people.open();
  await expectFits(page, 'people');
  await page.getByRole('searchbox').fill(person.loginName);
  await clickRowAction(page, person.fullName, 'Delete');
  await expect(question(page)).toBeVisible();
  await expectFits(page, 'asked to delete');
  await visit(page, '/local/people/new');
  await people.form.waitFor();
  await expectFits(page, 'form of a new person');
  await people.openPerson(person.id);
  await people.chooseRole('Access controller', 'Reader');
  await expect(people.save).toBeVisible();
  await expectFits(page, 'form of a person');
  await expectAccessible(page, 'form of a person');
});

test('activity fits a phone', async ({ signedIn: page }) => {
  const activity = new ActivityPage(page);
  await activity.open();
  await expectFits(page, 'activity');
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('textbox', { name: 'Person', exact: true })).toBeVisible();
  await expectFits(page, 'filters');
  await activity.rows.first().getByRole('link').click();
  await expect(activity.panel).toContainText('console-session.sign-in');
  await expectFits(page, 'an entry');
  await expectAccessible(page, 'an entry');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText(/^The trail is intact/)).toBeVisible();
  await expectFits(page, 'verified');
});

test("a phone cuts the folders of a secret before the secret's own name", async ({
  signedIn: page,
  secrets,
}) => {
  await secrets.write('a-folder-with-a-rather-long-name/database-password', { a: 'b' });
  await page.goto(
    `/local/secrets/${secrets.mount}/secret/a-folder-with-a-rather-long-name/database-password`,
  );
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('database-password');
  expect(await heading.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expectFits(page, 'a secret in a folder');
});
