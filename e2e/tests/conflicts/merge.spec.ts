import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, press, tabTo } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';

/** Opens the form of a target and edits fields, without saving. */
async function edit(page: Page, id: string, values: Readonly<Record<string, string>>): Promise<TargetForm> {
  const form = new TargetForm(page);
  await form.open(id);
  for (const [label, value] of Object.entries(values)) await form.field(label).fill(value);
  return form;
}

test("two browsers' edits of the same fields are each decided by the user", async ({
  signedIn: page,
  openBrowser,
  createTarget,
  controller,
}) => {
  const target = await createTarget({
    description: 'before',
    address: 'before.example',
    session_max_seconds: 60,
  });
  const fields = ['Description', 'Address', 'Maximum session duration'] as const;
  const mine = await edit(page, target.id, {
    Description: 'mine',
    Address: 'mine.example',
    'Maximum session duration': '120',
    Name: 'a new name',
  });
  const other = await openBrowser('operator');
  const theirs = await edit(other, target.id, {
    Description: 'theirs',
    Address: 'theirs.example',
    'Maximum session duration': '180',
  });
  await theirs.save.click();
  await expectToast(other, `Target ${target.name} saved`);

  await mine.save.click();
  const conflict = new ConflictView(page);
  await expect(conflict.title).toHaveText('3 fields have conflicting changes');
  await expect(conflict.summary).toBeFocused();
  await expect(conflict.decisions.getByRole('link')).toHaveText(fields);
  for (const field of fields) {
    for (const choice of ['Keep current', 'Use mine', 'Edit'] as const) {
      await expect(conflict.option(field, choice)).not.toBeChecked();
    }
  }
  await expect(conflict.decision('Description')).toContainText('theirs');
  await expect(conflict.decision('Description')).toContainText('mine');
  const base = conflict.section.getByRole('button', { name: 'Value before both edits' }).first();
  await base.click();
  await expect(conflict.section.getByText('before', { exact: true })).toBeVisible();

  // Saving goes to the undecided field, and stores nothing.
  await mine.save.click();
  await expect(conflict.decision('Description')).toHaveAccessibleDescription(/Decide this before you save/);
  expect((await controller.read('targets', target.id)).version).toBe(2);

  await conflict.choose('Description', 'Keep current');
  await conflict.choose('Address', 'Use mine');
  await expect(conflict.progress).toHaveText('2 of 3 decided.');
  await conflict.choose('Maximum session duration', 'Edit');
  await expect(mine.longestSession).toHaveValue('120');
  await mine.longestSession.fill('240');
  await expect(conflict.progress).toHaveText('All decided. Review the form below, then save.');
  const saving = page.waitForRequest((request) => request.method() === 'PATCH');
  await mine.save.click();
  // The audit trail records the decisions, by paths and without a value.
  const told: unknown = JSON.parse((await (await saving).headerValue('x-gatehouse-decisions')) ?? '[]');
  expect(told).toEqual([
    { path: '/description', choice: 'current' },
    { path: '/address', choice: 'mine' },
    { path: '/session_max_seconds', choice: 'edited' },
  ]);
  await expectToast(page, 'Target a new name saved');
  expect(await controller.read('targets', target.id)).toMatchObject({
    version: 3,
    name: 'a new name',
    description: 'theirs',
    address: 'mine.example',
  });
  await expect(new TargetPage(page).value('Maximum session duration')).toHaveText(/^240 s/);
});

test("someone else's change is shown before the save, and taken over on request", async ({
  signedIn: page,
  createTarget,
  controller,
}) => {
  const target = await createTarget();
  await page.clock.install();
  const form = await edit(page, target.id, { Description: 'mine' });
  await controller.update('targets', target.id, 1, { address: 'theirs.example' });
  await page.clock.fastForward(16_000);
  const show = page.getByRole('button', { name: 'Merge the changes' });
  await expect(show).toBeVisible();
  await expect(form.address).toHaveValue('10.0.0.1');
  await show.click();
  await expect(form.address).toHaveValue('theirs.example');
  await expect(form.description).toHaveValue('mine');
  await form.save.click();
  await expectToast(page, `Target ${target.name} saved`);
});

test('create, edit and resolve with only the keyboard', async ({ signedIn: page, project, controller }) => {
  await page.goto(`/local/targets?scope=${project.id}`);
  await expect(page.getByRole('heading', { name: 'No targets you can see in this scope' })).toBeVisible();
  await press(page, 'c');
  const form = new TargetForm(page);
  await expect(form.name).toBeFocused();
  await page.keyboard.type('by keyboard');
  await tabTo(page, form.port);
  await page.keyboard.type('22');
  await press(page, 'Control+s');
  const target = new TargetPage(page);
  await expect(target.heading).toHaveText('by keyboard');
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  await press(page, 'e');
  await expect(form.name).toBeFocused();
  await tabTo(page, form.description);
  await page.keyboard.type('mine');
  await tabTo(page, form.longestSession);
  await press(page, 'Control+a');
  await page.keyboard.type('120');
  await controller.update('targets', id, 1, { description: 'theirs', session_max_seconds: 180 });
  await press(page, 'Control+s');

  const conflict = new ConflictView(page);
  await expect(conflict.summary).toBeFocused();
  await tabTo(page, conflict.decisions.getByRole('link', { name: 'Maximum session duration' }));
  await press(page, 'Enter');
  await expect(conflict.card('Maximum session duration')).toBeFocused();
  await press(page, 'Tab');
  await expect(conflict.option('Maximum session duration', 'Keep current')).toBeFocused();
  await press(page, 'ArrowRight');
  await expect(conflict.option('Maximum session duration', 'Use mine')).toBeChecked();
  // Saving moves the focus to the undecided field.
  await press(page, 'Control+s');
  await expect(conflict.card('Description')).toBeFocused();
  await press(page, 'Tab');
  await expect(conflict.option('Description', 'Keep current')).toBeFocused();
  await press(page, 'ArrowLeft');
  await expect(conflict.option('Description', 'Edit')).toBeChecked();
  await tabTo(page, form.description);
  await press(page, 'End');
  await page.keyboard.type(' and theirs');
  await press(page, 'Control+s');
  await expect(target.value('Description')).toHaveText('mine and theirs');
  await expect(target.value('Maximum session duration')).toHaveText(/^120 s/);
  await expect(target.value('Version')).toHaveText('3');
});
