import { expect, test } from '../../fixtures/test.ts';
import { press } from '../../fixtures/vocabulary.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

const estate = 100_000;
test.use({ estate });

test('of 100,000 targets the first are there at once, and all are searched and sorted', async ({
  signedIn: page,
}) => {
  // How long a thousand pages take is the machine's affair.
  test.setTimeout(300_000);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  // Pages after the first are held back, to see the list as it is while they are on their way.
  await page.route(/\/access\/targets\?.*page_token=/, async (route) => {
    await released;
    await route.continue();
  });
  const targets = new TargetsPage(page);
  await targets.open();
  await expect(targets.names.first()).toBeVisible();
  await expect(targets.grid).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText(/^100 of about 100,\d{3} targets loaded$/).first()).toBeVisible();
  const name = (await targets.names.first().textContent()) ?? '';
  await targets.link(name).focus();
  await press(page, 'j', 'j');
  await targets.search.fill(name);
  await expect(targets.names).toHaveText([name]);
  await expect(page.getByText(/^Searched 100 of about 100,\d{3}$/)).toBeVisible();
  await targets.search.fill('no such thing');
  await expect(page.getByText('Nothing matches "no such thing" so far; more is being loaded.')).toBeVisible();
  await targets.search.fill('');

  release();
  await expect(targets.count).toHaveText(/^100,\d{3} targets$/, { timeout: 240_000 });
  await page.unrouteAll({ behavior: 'wait' });
  await targets.search.fill('postgres-099997');
  await expect(targets.names).toHaveText(['postgres-099997']);
  await targets.search.fill('');
  await targets.sortBy('Name');
  await expect(targets.names.nth(1)).toHaveText('kafka-000005');
  await targets.sortBy('Name');
  await expect(targets.names.first()).toHaveText('web-099996');
  await targets.link('web-099996').focus();
  await press(page, 'Control+End');
  await expect(targets.names.filter({ hasText: 'Generated target' })).toBeVisible();
  // Only what is in sight exists.
  expect(await targets.grid.getByRole('row').count()).toBeLessThan(80);

  await press(page, 'Control+Home');
  await expect(targets.select('web-099996')).toBeFocused();
  await press(page, 'ArrowRight', 'Enter');
  const target = new TargetPage(page);
  await expect(target.heading).toHaveText('web-099996');
  await press(page, ']');
  await expect(target.heading).toHaveText('web-099991');
});
