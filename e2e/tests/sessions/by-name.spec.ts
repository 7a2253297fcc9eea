import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectRowVisible } from '../../fixtures/vocabulary.ts';
import { AuthorizeDialog, SessionsPage } from '../../pages/sessions-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('a session is authorized by the names of target and project, and shown once', async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  await createTarget({ type: 'ssh', name: 'db by name' });
  await new TargetsPage(page).open(project.id);
  await page.getByRole('link', { name: 'New target' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: /^Search actions, places/ }).fill('by name');
  await page.getByRole('menuitem', { name: /Authorize session by name/ }).click();
  const form = page.getByRole('form', { name: 'Authorize session by name' });
  const submit = form.getByRole('button', { name: 'Authorize session' });
  await submit.click();
  await expectFieldError(form, 'Target', /^Enter the target's name\./);
  await expect(form.getByRole('textbox', { name: 'Target' })).toBeFocused();
  // The project of the last list, shown by its name.
  await expect(form.getByRole('textbox', { name: 'Project' })).toHaveValue(project.id);
  await form.getByRole('radio', { name: 'By name' }).click();
  await expect(form.getByRole('textbox', { name: 'Project' })).toHaveValue(project.name);
  await form.getByRole('textbox', { name: 'Target' }).fill('no such');
  await submit.click();
  await expect(form.getByRole('alert')).toContainText('No such target');
  await expectAccessible(page, 'refused');
  await form.getByRole('textbox', { name: 'Target' }).fill('db by name');
  await expect(page.getByRole('region', { name: 'As code' })).toContainText(
    `-name='db by name' \\ -scope-name='${project.name}'`,
  );
  await submit.click();
  const shown = new AuthorizeDialog(page);
  await expect(shown.command).toHaveText(/^boundary connect ssh -authz-token •+$/);
  await expect(shown.value('Endpoint')).toContainText('tcp://10.0.0.1:22');
  await expectAccessible(page, 'authorized');
  await shown.dialog.getByRole('button', { name: 'Reveal the token' }).click();
  await expect(shown.command).not.toContainText('•');
  const token = ((await shown.command.textContent()) ?? '').split(' ').at(-1) ?? '';
  expect(token.length).toBeGreaterThan(20);
  await shown.dialog.getByRole('button', { name: 'Done' }).click();
  await expect(shown.dialog).toHaveCount(0);
  expect(await page.content()).not.toContain(token);
  expect(page.url()).not.toContain(token);
  const sessions = new SessionsPage(page);
  await sessions.open();
  await expectRowVisible(sessions.grid, { Target: 'db by name' });
});

test("a project's ID finds the target, and a host outside its host sets is refused", async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  await createTarget({ name: 'plain' });
  await page.goto(`/local/targets/authorize?name=plain&scope=${project.id}`);
  const form = page.getByRole('form', { name: 'Authorize session by name' });
  await form.getByRole('textbox', { name: 'Host' }).fill('hst_0000000000');
  await form.getByRole('button', { name: 'Authorize session' }).click();
  await expectFieldError(form, 'Host', /./);
  await form.getByRole('textbox', { name: 'Host' }).fill('');
  await form.getByRole('button', { name: 'Authorize session' }).click();
  await expect(page.getByRole('dialog', { name: 'Session on plain' })).toBeVisible();
  // The request stays in the address. A reload shows the form, and nothing of the answer.
  await page.reload();
  await expect(form.getByRole('textbox', { name: 'Target' })).toHaveValue('plain');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
