import { expect, test } from '../../fixtures/test.ts';
import { press } from '../../fixtures/vocabulary.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

/** The deep run has as many as the console promises to show. A fifth of them is 200 pages already. */
const estate = process.env['GATEHOUSE_DEEP'] === '1' ? 100_000 : 20_000;
test.use({ estate });
/** The name of one of the last targets. */
const named = (kind: string, before: number): string => `${kind}-${String(estate - before).padStart(6, '0')}`;
const count = String.raw`${estate / 1000},\d{3}`;

test('very many targets appear from the first page on, and all are searched and sorted', async ({
  signedIn: page,
}) => {
  // The time for so many pages depends on the machine.
  test.setTimeout(300_000);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  // Pages after the first are delayed, to see the list while they arrive.
  await page.route(/\/access\/targets\?.*page_token=/, async (route) => {
    await released;
    await route.continue();
  });
  const targets = new TargetsPage(page);
  await targets.open();
  await expect(targets.names.first()).toBeVisible();
  await expect(targets.grid).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText(new RegExp(`^100 of about ${count} targets loaded$`)).first()).toBeVisible();
  const name = (await targets.names.first().textContent()) ?? '';
  await targets.link(name).focus();
  await press(page, 'j', 'j');
  await targets.search.fill(name);
  await expect(targets.names).toHaveText([name]);
  await expect(page.getByText(new RegExp(`^Searched 100 of about ${count}$`))).toBeVisible();
  await targets.search.fill('no such thing');
  await expect(page.getByText('No matches for "no such thing" yet. Still loading targets.')).toBeVisible();
  await targets.search.fill('');

  release();
  await expect(targets.count).toHaveText(new RegExp(`^${count} targets$`), { timeout: 240_000 });
  await page.unrouteAll({ behavior: 'wait' });
  await targets.search.fill(named('postgres', 3));
  await expect(targets.names).toHaveText([named('postgres', 3)]);
  await targets.search.fill('');
  await expect(targets.names.nth(1)).toHaveText('kafka-000005');
  await targets.sortBy('Name');
  await expect(targets.names.first()).toHaveText(named('web', 4));
  await targets.link(named('web', 4)).focus();
  await press(page, 'Control+End');
  await expect(targets.names.filter({ hasText: 'Generated target' })).toBeVisible();
  // Only visible rows exist.
  expect(await targets.grid.getByRole('row').count()).toBeLessThan(80);

  await press(page, 'Control+Home');
  await expect(targets.select(named('web', 4))).toBeFocused();
  await press(page, 'ArrowRight', 'Enter');
  const target = new TargetPage(page);
  await expect(target.heading).toHaveText(named('web', 4));
  await press(page, ']');
  await expect(target.heading).toHaveText(named('web', 9));
});
