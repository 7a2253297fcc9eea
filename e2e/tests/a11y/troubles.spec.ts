import { expectAccessible } from '../../fixtures/accessible.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { isItYou, signInAgain } from '../../pages/session-dialogs.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';

// Axe looks at each state twice.
test.slow();

test('a conflict: merged, to decide, decided, deleted', async ({
  signedIn: page,
  createTarget,
  controller,
}) => {
  const created = await createTarget({ description: 'before', session_max_seconds: 60 });
  const form = new TargetForm(page);
  await form.open(created.id);
  await form.description.fill('mine');
  await controller.update('targets', created.id, 1, { address: 'theirs.example' });
  await form.save.click();
  const conflict = new ConflictView(page);
  await expect(conflict.summary).toBeVisible();
  await expectAccessible(page, 'merged');
  await form.longestSession.fill('120');
  await controller.update('targets', created.id, 2, { description: 'theirs', session_max_seconds: 180 });
  await form.save.click();
  await expect(conflict.decision('Description')).toBeVisible();
  await form.save.click();
  await expectAccessible(page, 'to decide');
  await conflict.choose('Description', 'Use mine');
  await conflict.choose('Longest session', 'Edit');
  await conflict.section.getByRole('button', { name: 'Value before both edits' }).first().click();
  await expectAccessible(page, 'decided');
  await controller.remove('targets', created.id);
  await form.save.click();
  await expect(conflict.deleted).toBeVisible();
  await expectAccessible(page, 'deleted');
});

test('what cannot be shown: unreachable, not there, not allowed', async ({
  stack,
  signedIn: page,
  openBrowser,
}) => {
  await page.goto('/local/targets/ttcp_0000000000');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'not there');
  await page.goto('/local/nowhere');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'no such page');
  await page.goto('/production/targets');
  await expect(page.getByRole('region', { name: 'Not connected to the access controller' })).toBeVisible();
  await expectAccessible(page, 'not connected');
  const reader = await openBrowser('read-only');
  await reader.goto('/local/targets/new');
  await expect(reader.getByRole('alert')).toBeVisible();
  await expectAccessible(reader, 'not allowed');
  await stack.environments[0]?.access.stop();
  await page.goto('/local/targets');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'unreachable');
});

test('what interrupts: signed out, and the password once more', async ({ stack, page, createTarget }) => {
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
  await new Shell(page).screen('Connections').click();
  await expect(signInAgain(page).dialog).toBeVisible();
  await expectAccessible(page, 'sign in again');
});
