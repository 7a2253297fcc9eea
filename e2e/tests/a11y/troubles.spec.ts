import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { TargetForm } from '../../pages/target-form.ts';

// Axe checks each state twice.
test.slow();

test('conflicts are accessible: merged, undecided, decided, deleted', async ({
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
  await expect(conflict.decision('Description')).toHaveAccessibleDescription(/Decide this before you save/);
  await expectAccessible(page, 'to decide');
  await conflict.choose('Description', 'Use mine');
  await conflict.choose('Maximum session duration', 'Edit');
  await conflict.section.getByRole('button', { name: 'Value before both edits' }).first().click();
  await expect(conflict.section.getByText('before', { exact: true })).toBeVisible();
  await expect(conflict.progress).toHaveText(/^All decided\./);
  await expectAccessible(page, 'decided');
  await controller.remove('targets', created.id);
  await form.save.click();
  await expect(conflict.deleted).toBeVisible();
  await expectAccessible(page, 'deleted');
});

test('error pages are accessible: unreachable, not found, not allowed', async ({
  stack,
  signedIn: page,
  openBrowser,
}) => {
  await page.goto('/local/targets/ttcp_0000000000');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'not there');
  await visit(page, '/local/nowhere');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'no such page');
  await visit(page, '/production/targets');
  await expect(page.getByRole('region', { name: 'Not connected to the access controller' })).toBeVisible();
  await expectAccessible(page, 'not connected');
  const reader = await openBrowser('read-only');
  await reader.goto('/local/targets/new');
  await expect(reader.getByRole('alert')).toBeVisible();
  await expectAccessible(reader, 'not allowed');
  await stack.environments[0]?.access.stop();
  await visit(page, '/local/targets');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'unreachable');
});
