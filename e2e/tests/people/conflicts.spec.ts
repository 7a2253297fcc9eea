import { expectAccessible } from '../../fixtures/accessible.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectNoRow, expectRowVisible, expectToast } from '../../fixtures/vocabulary.ts';
import { PeoplePage } from '../../pages/people-page.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

test('changes of a person are shown before their password is reset', async ({
  signedIn: page,
  stack,
  createPerson,
}) => {
  const person = await createPerson('operator');
  const people = new PeoplePage(page);
  await people.open();
  await page.getByRole('searchbox').fill(person.loginName);
  await clickRowAction(page, person.fullName, 'Reset the password');
  const dialog = page.getByRole('alertdialog', { name: /^Reset the password of/ });
  await expect(dialog).toContainText('They are signed out everywhere');
  await stack.accounts.update(person.id, 1, { fullName: 'Somebody Else', disabled: true });
  await dialog.getByRole('textbox').fill(person.loginName);
  await dialog.getByRole('button', { name: 'Reset password' }).click();
  await isItYou(page).enter(password);
  await expect(dialog).toContainText('Changed since you opened it');
  const changes = dialog.getByRole('table', { name: 'Changed since you opened it' });
  await expect(changes).toContainText(person.fullName);
  await expect(changes).toContainText('Somebody Else');
  await expectAccessible(page, 'changed before the reset');
  expect(stack.accounts.get(person.id)?.version).toBe(2);
  await dialog.getByRole('button', { name: 'Reset it anyway' }).click();
  await expect(page.getByRole('dialog', { name: 'New password of Somebody Else' })).toBeVisible();
  expect(await stack.accounts.verifyPassword(person.loginName, password)).toBeUndefined();
});

test("a changed person isn't deleted unseen, and a deleted one is reported as gone", async ({
  signedIn: page,
  stack,
  createPerson,
}) => {
  const [first, second] = [await createPerson('operator'), await createPerson('operator')];
  const people = new PeoplePage(page);
  await people.open();
  await page.getByRole('searchbox').fill(first.loginName);
  await clickRowAction(page, first.fullName, 'Delete');
  const dialog = page.getByRole('alertdialog', { name: /^Delete / });
  await dialog.getByRole('textbox').fill(first.loginName);
  await stack.accounts.update(first.id, 1, { roles: { access: 'administrator' } });
  await dialog.getByRole('button', { name: 'Delete person' }).click();
  await isItYou(page).enter(password);
  await expect(dialog).toContainText('Changed since you opened it');
  await expect(dialog.getByRole('table', { name: 'Changed since you opened it' })).toContainText(
    'Administrator',
  );
  expect(stack.accounts.get(first.id)).toBeDefined();
  await dialog.getByRole('button', { name: 'Delete anyway' }).click();
  await expectToast(page, `${first.fullName} deleted`);

  await page.getByRole('searchbox').fill(second.loginName);
  await expectRowVisible(people.grid, { 'Login name': second.loginName });
  await clickRowAction(page, second.fullName, 'Delete');
  await dialog.getByRole('textbox').fill(second.loginName);
  await stack.accounts.remove(second.id);
  await dialog.getByRole('button', { name: 'Delete person' }).click();
  await expect(dialog).toHaveCount(0);
  await expectNoRow(people.grid, { 'Login name': second.loginName });
});
