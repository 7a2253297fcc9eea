import type { AccessClient } from '@gatehouse/stack/access-client';
import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

/** Edits a target that someone else deletes before it is saved. */
async function editDeleted(
  page: Page,
  controller: AccessClient,
  id: string,
): Promise<{ form: TargetForm; conflict: ConflictView }> {
  const form = new TargetForm(page);
  await form.open(id);
  await form.description.fill('mine');
  await form.address.fill('mine.example');
  await controller.remove('targets', id);
  await form.save.click();
  const conflict = new ConflictView(page);
  await expect(conflict.deleted).toContainText('This target was deleted while you were editing');
  await expect(conflict.deleted).toBeFocused();
  await expect(form.description).toHaveValue('mine');
  return { form, conflict };
}

test('the edit of a deleted target is not lost', async ({ signedIn: page, createTarget, controller }) => {
  test.slow();
  await test.step('a deleted target is created again with the edit', async () => {
    const target = await createTarget({ session_max_seconds: 600 });
    const { conflict } = await editDeleted(page, controller, target.id);
    await conflict.deleted.getByRole('button', { name: 'Recreate with my values' }).click();
    await expectToast(page, `Target ${target.name} recreated`);
    const made = new TargetPage(page);
    await expect(made.value('Description')).toHaveText('mine');
    await expect(made.value('Address')).toContainText('mine.example');
    await expect(made.value('Maximum session duration')).toHaveText(/^600 s/);
    await expect(made.value('Version')).toHaveText('1');
    await expect(page).not.toHaveURL(new RegExp(target.id));
  });
  await test.step("a conflict's resolution survives the target's deletion", async () => {
    const target = await createTarget({ description: 'before' });
    const form = new TargetForm(page);
    await form.open(target.id);
    await form.description.fill('mine');
    await controller.update('targets', target.id, 1, { description: 'theirs', address: 'theirs.example' });
    await form.save.click();
    const conflict = new ConflictView(page);
    await conflict.choose('Description', 'Use mine');
    await controller.remove('targets', target.id);
    await form.save.click();
    await conflict.deleted.getByRole('button', { name: 'Recreate with my values' }).click();
    await expectToast(page, `Target ${target.name} recreated`);
    await expect(new TargetPage(page).value('Description')).toHaveText('mine');
    await expect(new TargetPage(page).value('Address')).toContainText('theirs.example');
  });
  await test.step('the edit of a deleted target is copied, then discarded', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const target = await createTarget();
    const { conflict, form } = await editDeleted(page, controller, target.id);
    await conflict.deleted.getByRole('button', { name: 'Copy my values' }).click();
    await expect(conflict.deleted.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ name: target.name, description: 'mine', address: 'mine.example' });
    // Discarding was the answer, so nothing is asked again.
    await conflict.deleted.getByRole('button', { name: 'Discard my edit' }).click();
    await expect(page).toHaveURL(/\/local\/targets$/);
    await expect(new TargetsPage(page).names).not.toHaveCount(0);
    await expect(form.guard).toHaveCount(0);
    await expect(page.getByRole('link', { name: target.name, exact: true })).toHaveCount(0);
  });
  await test.step('leaving the form of a deleted target asks, because the edit exists nowhere else', async () => {
    const target = await createTarget();
    const { form } = await editDeleted(page, controller, target.id);
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect(form.guard).toBeVisible();
    await form.guard.getByRole('button', { name: 'Keep editing' }).click();
    await expect(form.description).toHaveValue('mine');
  });
});
