import { BoxOwner } from '../../fixtures/box-owner.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password as own } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, visit } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

test('a private box is hidden from others, and members do what their role allows', async ({
  openBrowser,
  createPerson,
  owner,
}) => {
  await owner.released('open', ['1.0.0']);
  await owner.version('open', '2.0.0');
  await owner.released('closed', ['1.0.0'], 'virtualbox', { is_private: true });
  const person = await createPerson('operator');
  const page = await openBrowser(person);
  const boxes = new BoxesPage(page);
  const box = new BoxPage(page);
  await boxes.open(`?q=${owner.username}`);
  await expect(boxes.tags).toHaveText([`${owner.username}/open`]);
  for (const place of [owner.place('closed'), owner.place('closed', '1.0.0'), owner.place('never')]) {
    await visit(page, place);
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText(/Box .* not found/);
    await expect(alert).toContainText("The registry doesn't report which");
  }
  // Nor is an unreleased version.
  await visit(page, `${owner.place('open')}?tab=versions`);
  await expect(box.version('1.0.0')).toBeVisible();
  await expect(box.version('2.0.0')).toHaveCount(0);
  await expect(box.edit).toHaveAttribute('aria-disabled', 'true');
  await expect(box.edit).toHaveAccessibleDescription(/aren't allowed to change boxes/);
  await visit(page, owner.place('open', '1.0.0'));
  await box.openMenu();
  await expect(box.entry('Revoke')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await visit(page, `${owner.place('open')}/edit`);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Not allowed');

  // A member who reads, then one who publishes.
  const members = `/api/v1/organizations/${owner.username}/members`;
  const member = { username: person.loginName, role: 'reader' };
  await owner.client.post(members, { member });
  await visit(page, owner.place('closed'));
  await expect(box.value('Access')).toContainText('Private');
  await expect(box.edit).toHaveAttribute('aria-disabled', 'true');
  await owner.client.put(`${members}/${person.loginName}`, { member: { role: 'publisher' } });
  await page.reload();
  await box.edit.click();
  const form = new RecordForm(page, 'box');
  await form.field('Short description').fill('By a member');
  // The right ends while the box is edited.
  await owner.client.put(`${members}/${person.loginName}`, { member: { role: 'reader' } });
  await form.save('Save box').click();
  await expect(form.bar.getByRole('alert')).toContainText(/may not|not allow/i);
  await expect(form.field('Short description')).toHaveValue('By a member');
  expect(await owner.read('closed')).toMatchObject({ short_description: '' });
  await owner.client.put(`${members}/${person.loginName}`, { member: { role: 'publisher' } });
  await form.save('Save box').click();
  await expectToast(page, `Box ${owner.username}/closed saved`);
  expect(await owner.read('closed')).toMatchObject({ short_description: 'By a member' });
});

test('irreversible actions in production require the password', async ({ signedIn: page, stack }) => {
  const owner = await BoxOwner.create(stack, `e2e-${test.info().testId.slice(-8)}`, 'production');
  await owner.released('base');
  await signInThroughApi(page.context().request, loginNames.administrator, own, 'production');
  const box = new BoxPage(page);
  await page.goto(owner.place('base', '1.0.0'));
  await box.choose('Revoke permanently');
  await box.confirm('Revoke version', '1.0.0');
  const ask = isItYou(page);
  await ask.enter('not the password');
  await expect(ask.password).toHaveAccessibleDescription('Wrong password.');
  expect(await owner.read('base', '1.0.0')).toMatchObject({ status: 'active' });
  await ask.enter(own);
  await expectToast(page, `${owner.username}/base 1.0.0 revoked`);
  expect(await owner.read('base', '1.0.0')).toMatchObject({ status: 'revoked' });
  await owner.close();
});
