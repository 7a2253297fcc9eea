import { signIn as signInToController } from '@gatehouse/stack/access-client';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectToast } from '../../fixtures/vocabulary.ts';
import { SessionsPage } from '../../pages/sessions-page.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';

test('in production, canceling asks for the name of the target, except for your own idle session', async ({
  stack,
  page,
  createPerson,
}) => {
  const url = stack.environments[1]?.access.url ?? '';
  const admin = await signInToController(url, 'admin', password);
  const { id, name } = await admin.create('targets', {
    scope_id: 'p_1234567890',
    type: 'tcp',
    name: 'watched',
    address: '127.0.0.1',
    attributes: { default_port: 1 },
  });
  const other = await createPerson('operator');
  for (const login of ['admin', other.loginName])
    await (await signInToController(url, login, password)).act('targets', id, 'authorize-session', 1, {});
  await page.goto(`/production/sessions?target=${id}&mine=true`);
  await new SignInPage(page).signIn('admin', password);

  const { grid } = new SessionsPage(page);
  await expect(grid.getByRole('row').filter({ hasText: 'First administrator' })).toHaveCount(1);
  await expect(grid.getByRole('row').filter({ hasText: other.fullName })).toHaveCount(0);
  await clickRowAction(page, `session of First administrator on ${name}`, 'Cancel session');
  const own = page.getByRole('alertdialog', { name: /^Cancel the session of/ });
  await expect(own.getByRole('textbox')).toHaveCount(0);
  await expect(own).toContainText('You can authorize a new session.');
  await own.getByRole('button', { name: 'Cancel session' }).click();
  await expectToast(page, /^Session of First administrator on watched (?:is being )?canceled$/);

  await page.getByText('Mine', { exact: true }).click();
  await clickRowAction(page, `session of ${other.fullName} on ${name}`, 'Cancel session');
  const theirs = page.getByRole('alertdialog', { name: /^Cancel the session of/ });
  await expect(theirs.getByRole('textbox', { name: 'Type watched to confirm' })).toBeVisible();
  await expect(theirs).toContainText('They can no longer connect with it.');
  await expect(theirs).toContainText('They can authorize a new session.');
  await page.keyboard.press('Escape');
  await admin.remove('targets', id);
});
