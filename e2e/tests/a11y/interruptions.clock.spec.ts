import { expectAccessible } from '../../fixtures/accessible.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { isItYou, signInAgain } from '../../pages/session-dialogs.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetPage } from '../../pages/target-page.ts';

test('dialogs for an ended session and for the password are accessible', async ({
  stack,
  page,
  createTarget,
}) => {
  const created = await createTarget();
  await page.goto('/production/targets/ttcp_1234567890');
  await new SignInPage(page).signIn('admin', password);
  const target = new TargetPage(page);
  await expect(target.edit).toBeVisible();
  stack.advance(6 * 60_000);
  await target.choose('Delete');
  const name = (await page.getByRole('heading', { level: 1, includeHidden: true }).textContent()) ?? '';
  await page.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);
  await page.keyboard.press('Enter');
  await expect(isItYou(page).dialog).toBeVisible();
  await expectAccessible(page, 'is it you');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.goto(`/local/targets/${created.id}`);
  await expect(page.getByRole('region', { name: 'Not connected to the access controller' })).toBeVisible();
  stack.advance(16 * 60_000);
  const { dialog } = signInAgain(page);
  // Unless a request of the page itself meets the ended session first, the click does.
  await expect(async () => {
    if (!(await dialog.isVisible())) await new Shell(page).screen('Connections').click({ timeout: 1000 });
    await expect(dialog).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expectAccessible(page, 'sign in again');
});
