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
  // The page's last automatic request, after which only the click meets the ended session.
  const lastRead = page.waitForResponse(/\/publish-runs$/);
  await page.goto(`/local/targets/${created.id}`);
  await expect(page.getByRole('region', { name: 'Not connected to the access controller' })).toBeVisible();
  await lastRead;
  stack.advance(16 * 60_000);
  await new Shell(page).screen('Connections').click();
  await expect(signInAgain(page).dialog).toBeVisible();
  await expectAccessible(page, 'sign in again');
});
