import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { Shell } from '../../pages/shell.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test.slow();

/** What fits the narrowest width fits the others, which only the deep run checks. */
const sizes = [
  { name: 'a zoom of 400 %', width: 320, height: 256 },
  ...(process.env['GATEHOUSE_DEEP'] === '1'
    ? [
        { name: 'a zoom of 200 %', width: 720, height: 450 },
        { name: 'a telephone', width: 390, height: 844 },
      ]
    : []),
];

for (const { name, width, height } of sizes) {
  test(`nothing scrolls sideways with ${name}`, async ({
    signedIn: page,
    createTarget,
    project,
    controller,
  }) => {
    await page.setViewportSize({ width, height });
    const created = await createTarget({
      name: `a-target-with-a-rather-long-name-${project.id}`,
      description: 'before',
      address: 'a-host-with-a-rather-long-name.in-some-zone.internal.example',
    });
    const targets = new TargetsPage(page);
    await targets.open(project.id);
    await expect(targets.names.first()).toBeVisible();
    await expectFits(page, 'list');
    await page.getByRole('button', { name: project.name }).click();
    await expect(targets.scopes).toBeVisible();
    await expectFits(page, 'scopes');
    await page.keyboard.press('Escape');
    await targets.filterToggle.click();
    await expect(targets.filter).toBeVisible();
    await expectFits(page, 'filter');
    const target = new TargetPage(page);
    await target.open(created.id);
    await expect(target.value('Description')).toHaveText('before');
    await expectFits(page, 'target');
    const form = new TargetForm(page);
    await form.open(created.id);
    await form.description.fill('mine');
    await form.review.click();
    await expect(form.changes).toBeVisible();
    await expectFits(page, 'form');
    await controller.update('targets', created.id, 1, { description: 'theirs', session_max_seconds: 60 });
    await form.save.click();
    const conflict = new ConflictView(page);
    await expect(conflict.decision('Description')).toBeVisible();
    await conflict.choose('Description', 'Edit');
    await expect(conflict.option('Description', 'Edit')).toBeChecked();
    await expectFits(page, 'conflict');
    await form.discard.click();
    await expect(form.guard).toBeVisible();
    await expectFits(page, 'discard');
    await form.guard.getByRole('button', { name: /^Discard/ }).click();
    await visit(page, '/local/connections');
    await expect(
      page.getByRole('group', { name: 'Your sessions' }).getByRole('listitem').first(),
    ).toBeVisible();
    await expectFits(page, 'connections');
    await visit(page, '/local');
    await expect(
      page.getByRole('group', { name: 'Recently changed targets' }).getByRole('link').nth(1),
    ).toBeVisible();
    await expectFits(page, 'overview');
    const menu = page.getByRole('button', { name: 'Open navigation' });
    await menu.click();
    await expect(new Shell(page).screen('Connections')).toBeVisible();
    await expectFits(page, 'navigation');
    if (width === 320) await expectAccessible(page, 'navigation');
    await page.keyboard.press('Escape');
    await expect(menu).toBeFocused();
  });
}

test('a user can sign in and navigate in the narrowest window', async ({ page }) => {
  await page.goto('/sign-in');
  for (const { name, width, height } of sizes) {
    await page.setViewportSize({ width, height });
    await expect(page.getByRole('heading', { name: 'Sign in to Gatehouse' })).toBeVisible();
    await expectFits(page, `sign in, ${name}`);
  }
});
