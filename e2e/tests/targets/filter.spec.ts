import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, press, visit } from '../../fixtures/vocabulary.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('a filter expression is completed while it is typed, and marked where it is refused', async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  const targets = new TargetsPage(page);
  await test.step('an expression is completed by keyboard', async () => {
    await createTarget({ type: 'ssh', name: 'bastion' });
    await createTarget({ name: 'database' });
    await targets.open(project.id);
    await expect(targets.names).toHaveCount(2);
    await targets.filterToggle.click();
    await expect(targets.filter).toBeFocused();
    await page.keyboard.type('type');
    await press(page, 'ArrowDown', 'Enter');
    await expect(targets.filter).toHaveValue('"/item/type" ');
    await expect(page.getByRole('option', { name: '== equals', exact: true })).toBeVisible();
    await expectAccessible(page, 'what may come next');
    await press(page, 'ArrowDown', 'Tab', 'ArrowUp');
    await page.keyboard.type('"ss');
    await press(page, 'ArrowDown', 'Enter');
    await expect(targets.filter).toHaveValue('"/item/type" == "ssh" ');
    await press(page, 'Escape', 'Enter');
    await expect(targets.names).toHaveText(['bastion']);
  });
  await test.step('a refused expression is marked where the controller stopped reading', async () => {
    await createTarget();
    await visit(
      page,
      `/local/targets?scope=${project.id}&filter=${encodeURIComponent('"/item/name" = "x"')}`,
    );
    await expectFieldError(page, 'Filter expression', /^"=" is unexpected/);
    const selected = (): Promise<string> =>
      targets.filter.evaluate((field) =>
        field instanceof HTMLInputElement
          ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
          : '',
      );
    await expect.poll(selected).toBe('=');
    await expectAccessible(page, 'refused');
  });
});
