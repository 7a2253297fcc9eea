import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectRowVisible, expectToast } from '../../fixtures/vocabulary.ts';
import { BulkEditDialog } from '../../pages/bulk-edit-dialog.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('many targets are edited at once, reviewed, and lose nothing of others', async ({
  signedIn: page,
  openBrowser,
  project,
  createTarget,
  controller,
}) => {
  test.slow();
  const [plain, moved, gone] = [
    await createTarget({ name: 'plain' }),
    await createTarget({ name: 'moved' }),
    await createTarget({ name: 'gone' }),
  ];
  const filtered = await createTarget({ name: 'filtered', egress_worker_filter: '"a" in "/tags/b"' });
  await createTarget({ name: 'already', session_max_seconds: 3600, worker_filter: '"x" in "/tags/y"' });
  const targets = new TargetsPage(page);
  const bulk = new BulkEditDialog(page);
  await test.step('leaving asks first, and a reader sees why editing is unavailable', async () => {
    await targets.open(project.id);
    await targets.select('plain').click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await bulk.set('Description', 'x');
    await page.keyboard.press('Escape');
    await expect(bulk.dialog).toContainText('Discard the field that you set?');
    await bulk.button('Keep editing').click();
    const description = bulk.dialog.getByRole('textbox', { name: 'Description' });
    await expect(description).toHaveValue('x');
    await expect(description).toBeFocused();
    await page.keyboard.press('Escape');
    await bulk.button('Discard').click();
    await expect(bulk.dialog).toHaveCount(0);

    const reader = await openBrowser('read-only');
    const list = new TargetsPage(reader);
    await list.open(project.id);
    await list.select('plain').click();
    const edit = reader.getByRole('button', { name: 'Edit', exact: true });
    await expect(edit).toHaveAttribute('aria-disabled', 'true');
    await expect(edit).toHaveAccessibleDescription(/doesn't let you edit/);
  });
  await test.step('many are edited at once: reviewed, written, and nothing of others is lost', async () => {
    await targets.open(project.id);
    await expect(targets.names).toHaveCount(5);
    await page.getByRole('checkbox', { name: /^Select all/ }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await bulk.set('Maximum session duration', '0');
    await bulk.set('Worker filter', '"x" in "/tags/y"');
    await expectAccessible(page, 'fields to set');
    await bulk.review.click();
    await expect(
      bulk.dialog.getByRole('textbox', { name: 'Maximum session duration' }),
    ).toHaveAccessibleDescription(/whole number of seconds/);
    await bulk.dialog.getByRole('textbox', { name: 'Maximum session duration' }).fill('3600');
    await bulk.review.click();
    await expectRowVisible(bulk.grid, {
      Target: 'plain',
      State: 'To change',
      'Maximum session duration': '3,600 s',
    });
    await expectRowVisible(bulk.grid, { Target: 'already', State: 'No change needed' });
    await expectRowVisible(bulk.grid, { Target: 'filtered', State: 'Not possible' });
    await expect(bulk.problems).toContainText('filtered Not possible. Worker filter: Use either this or');
    await expectAccessible(page, 'review');

    // Others make changes during the review.
    await controller.update('targets', moved.id, 1, { description: 'by somebody else' });
    await controller.remove('targets', gone.id);
    await bulk.run.click();
    await expect(bulk.report).toContainText('1 saved, 2 changed or deleted by others');
    await expectRowVisible(bulk.grid, { Target: 'moved', State: 'Changed since you opened it' });
    await expectRowVisible(bulk.grid, { Target: 'gone', State: 'Deleted' });
    await expect(bulk.problems.getByRole('table', { name: /moved/ })).toContainText('by somebody else');
    await expectAccessible(page, 'what was not written');
    expect(await controller.read('targets', moved.id)).toMatchObject({ version: 2 });
    await bulk.button('Apply to the one that changed').click();
    await expect(bulk.report).toContainText('2 saved');
    await bulk.button('Done').click();
    await expectToast(page, '2 targets changed');
    expect(await controller.read('targets', moved.id)).toMatchObject({
      version: 3,
      description: 'by somebody else',
    });
    expect(await controller.read('targets', filtered.id)).toMatchObject({ version: 1 });
    // Saved targets are deselected, others stay selected.
    await expect(targets.select('plain')).not.toBeChecked();
    await expect(targets.select('filtered')).toBeChecked();
    await targets.link('plain').click();
    const target = new TargetPage(page);
    await expect(target.value('Maximum session duration')).toHaveText('3,600 s (1 h)');
    expect(plain.version).toBe(1);
  });
});

test('an unavailable service stops the rest, which can be retried', async ({
  signedIn: page,
  project,
  createTarget,
  stack,
}) => {
  for (let count = 0; count < 12; count += 1) await createTarget();
  const targets = new TargetsPage(page);
  await targets.open(project.id);
  await expect(targets.names).toHaveCount(12);
  await page.getByRole('checkbox', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const bulk = new BulkEditDialog(page);
  await bulk.set('Description', 'in bulk');
  await bulk.review.click();
  const [environment] = stack.environments;
  await environment?.access.stop();
  await bulk.run.click();
  await expect(bulk.report).toContainText('12 not written');
  await environment?.access.start();
  await expect(bulk.run).toHaveText(/^Retry 12$/);
  await bulk.run.click();
  await expect(bulk.report).toContainText('12 saved');
});
