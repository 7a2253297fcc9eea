import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectToast, press, visit } from '../../fixtures/vocabulary.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('a target of a list is opened, cloned and deleted, and a missing one is reported', async ({
  signedIn: page,
  project,
  createTarget,
  controller,
}) => {
  test.slow();
  for (const name of ['web 1', 'other', 'web 3', 'web 2', 'stays']) await createTarget({ name });
  const goes = await createTarget({ name: 'goes' });
  const busy = await createTarget({ name: 'busy', description: 'before' });
  const targets = new TargetsPage(page);
  const target = new TargetPage(page);
  await test.step('a missing target is reported, with a link to the list', async () => {
    await page.goto('/atlantis');
    await expect(page.getByRole('alert')).toContainText("This page doesn't exist");
    await visit(page, '/local/nowhere');
    await expect(page.getByRole('alert')).toContainText("This page doesn't exist");
    await visit(page, `/local/targets/ttcp_0000000000?scope=${project.id}`);
    const told = page.getByRole('alert').filter({ hasNotText: "This page doesn't exist" });
    await expect(told).toBeVisible();
    await page.getByRole('link', { name: 'Go to the list' }).click();
    await expect(page).toHaveURL(new RegExp(`/local/targets\\?scope=${project.id}$`));
  });
  await test.step('previous and next follow the list as it was searched and sorted', async () => {
    await targets.open(project.id);
    await targets.search.fill('web');
    await expect(targets.names).toHaveText(['web 1', 'web 2', 'web 3']);
    await targets.link('web 1').click();
    await expect(target.heading).toHaveText('web 1');
    await expect(target.previous).toHaveAccessibleDescription('This is the first target in the list.');
    await target.next.click();
    await expect(target.heading).toHaveText('web 2');
    await press(page, ']');
    await expect(target.heading).toHaveText('web 3');
    await expect(target.next).toHaveAccessibleDescription('This is the last target in the list.');
    await press(page, '[');
    await expect(target.heading).toHaveText('web 2');
    // Both replace the address, so one step back is the list in its former state.
    await page.goBack();
    await expect(targets.search).toHaveValue('web');
    await expect(targets.names).toHaveText(['web 1', 'web 2', 'web 3']);
    await targets.link('web 3').click();
    await expect(target.heading).toHaveText('web 3');
    await press(page, 'u');
    await expect(targets.names).toHaveText(['web 1', 'web 2', 'web 3']);
  });
  await test.step('a target is deleted after a confirmation, and leaves the list', async () => {
    await targets.open(project.id);
    await targets.link('goes').click();
    await target.choose('Delete');
    const dialog = page.getByRole('alertdialog', { name: 'Delete target goes?' });
    await expect(dialog).toContainText(goes.id);
    await expect(dialog).toContainText("This can't be undone.");
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(target.heading).toHaveText('goes');
    await target.choose('Delete');
    await dialog.getByRole('button', { name: 'Delete target' }).click();
    await expectToast(page, 'Target goes deleted');
    await expect(targets.names).toHaveText(['busy', 'other', 'stays', 'web 1', 'web 2', 'web 3']);
  });
  await test.step("a target that was changed since it was shown isn't deleted unseen", async () => {
    await targets.open(project.id);
    await clickRowAction(page, 'busy', 'Delete');
    await controller.update('targets', busy.id, 1, { description: 'somebody needs it' });
    const dialog = page.getByRole('alertdialog', { name: 'Delete target busy?' });
    await dialog.getByRole('button', { name: 'Delete target' }).click();
    await expect(dialog).toContainText('Changed since you opened it');
    await expect(dialog.getByRole('insertion')).toHaveText('somebody needs it');
    expect((await controller.read('targets', busy.id)).name).toBe('busy');
    await dialog.getByRole('button', { name: 'Delete it anyway' }).click();
    await expectToast(page, 'Target busy deleted');
  });
  await test.step('a target is cloned with its values under another name', async () => {
    const created = await createTarget({
      name: 'origin',
      description: 'words',
      address: 'origin.example',
      session_max_seconds: 600,
    });
    await target.open(created.id);
    await target.choose('Clone');
    const form = new TargetForm(page);
    await expect(form.name).toHaveValue('origin-copy');
    await expect(form.description).toHaveValue('words');
    await expect(form.longestSession).toHaveValue('600');
    await expect(form.project).toHaveValue(new RegExp(project.name));
    await form.save.click();
    await expectToast(page, 'Target origin-copy created');
    await expect(target.value('Address')).toContainText('origin.example');
  });
});

test('deep links to a target and its form work, and survive a reload', async ({
  page,
  createPerson,
  createTarget,
}) => {
  const person = await createPerson();
  const created = await createTarget({ description: 'words' });
  await page.goto(`/local/targets/${created.id}/edit?q=target&sort=-name`);
  await new SignInPage(page).signIn(person.loginName, password);
  const form = new TargetForm(page);
  await expect(form.description).toHaveValue('words');
  await expect(page).toHaveURL(new RegExp(`/local/targets/${created.id}/edit\\?q=target&sort=-name$`));
  await page.reload();
  await expect(form.description).toHaveValue('words');
  await form.discard.click();
  await expect(page).toHaveURL(new RegExp(`/local/targets/${created.id}\\?q=target&sort=-name$`));
  await page.reload();
  await expect(new TargetPage(page).value('Description')).toHaveText('words');
  await expect(page.getByRole('listitem').filter({ hasText: /(Administrator|Operator)$/ })).not.toHaveCount(
    0,
  );
});
