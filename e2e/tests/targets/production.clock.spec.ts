import { signIn as signInToController } from '@gatehouse/stack/access-client';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectToast } from '../../fixtures/vocabulary.ts';
import { isItYou } from '../../pages/session-dialogs.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetPage } from '../../pages/target-page.ts';

test('deleting a target in production requires its name and the password', async ({ stack, page }) => {
  const production = stack.environments[1];
  if (production === undefined) throw new Error('the stack has no production');
  const controller = await signInToController(production.access.url, 'admin', password);
  const created = await controller.create('targets', {
    scope_id: 'p_1234567890',
    type: 'tcp',
    name: 'ledger',
    attributes: { default_port: 1 },
  });
  await page.goto(`/production/targets/${created.id}`);
  await new SignInPage(page).signIn('admin', password);
  const target = new TargetPage(page);
  await expect(target.heading).toHaveText('ledger');
  stack.advance(6 * 60_000);
  await target.choose('Delete');
  const dialog = page.getByRole('alertdialog', { name: 'Delete target ledger?' });
  await dialog.getByRole('button', { name: 'Delete target' }).click();
  await expectFieldError(dialog, 'Type ledger to confirm', "This doesn't match. Type ledger exactly.");
  await page.keyboard.type('ledger');
  await page.keyboard.press('Enter');
  const confirmation = isItYou(page);
  await confirmation.enter('not the password');
  await expect(confirmation.password).toHaveAccessibleDescription(/Wrong password/);
  expect((await controller.read('targets', created.id)).name).toBe('ledger');
  await confirmation.enter(password);
  await expectToast(page, 'Target ledger deleted');
  await expect(controller.read('targets', created.id)).rejects.toThrow('404');
});
