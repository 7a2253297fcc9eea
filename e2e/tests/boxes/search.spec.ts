import type { BoxOwner } from '../../fixtures/box-owner.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectRowVisible, press } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';

/** As many as the registry's rate limit allows one client at once, or just over a page. */
const count = process.env['GATEHOUSE_DEEP'] === '1' ? 1200 : 52;
/** A page has 50; one more box is created last. */
const pages = Math.ceil((count + 1) / 50);

/** Released boxes, every other one for libvirt only. */
async function furnish(owner: BoxOwner): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const next = numbers[Symbol.iterator]();
  const lanes = Array.from({ length: 6 }, async () => {
    for (const number of next) {
      const name = `box-${String(number).padStart(4, '0')}`;
      await owner.released(name, ['1.0.0'], number % 2 === 0 ? 'libvirt' : 'virtualbox');
    }
  });
  await Promise.all(lanes);
  // The order of creation differs from that of names.
  await owner.released('a-last', ['1.0.0', '1.1.0'], 'hyperv', { short_description: 'Made last of all' });
}

test('text, provider, order and page are in the address: a reload keeps them, and Back steps through them', async ({
  signedIn: page,
  owner,
}) => {
  test.slow(count > 1000);
  await furnish(owner);
  const boxes = new BoxesPage(page);
  await boxes.open();
  await boxes.search.fill(owner.username);
  await expect(boxes.tags).not.toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`\\?q=${owner.username}$`));
  await boxes.sortBy('Updated');
  await expect(boxes.header('Updated')).toHaveAttribute('aria-sort', 'ascending');
  await boxes.sortBy('Updated');
  await expect(boxes.header('Updated')).toHaveAttribute('aria-sort', 'descending');
  await expect(boxes.tags.first()).toHaveText(`${owner.username}/a-last`);
  await expectRowVisible(boxes.grid, {
    Box: `${owner.username}/a-last`,
    Access: 'Public',
    Version: '1.1.0',
    Providers: 'hyperv',
    Description: 'Made last of all',
  });
  await expect(boxes.grid).toHaveAttribute('aria-rowcount', '51');
  await boxes.next.click();
  await expect(page).toHaveURL(/[?&]sort=updated&page=2$/);
  await expect(boxes.link(`${owner.username}/a-last`)).toHaveCount(0);
  const second = await boxes.tags.first().textContent();
  await page.reload();
  await expect(boxes.tags.first()).toHaveText(second ?? '');
  await expect(boxes.search).toHaveValue(owner.username);
  await expect(boxes.header('Updated')).toHaveAttribute('aria-sort', 'descending');

  await boxes.tags.first().getByRole('link').click();
  await expect(new BoxPage(page).value('Name')).toHaveText(second ?? '');
  await page.goBack();
  await expect(boxes.tags.first()).toHaveText(second ?? '');
  await page.goBack();
  await expect(boxes.tags.first()).toHaveText(`${owner.username}/a-last`);
  await page.goForward();
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible();

  // Another order starts with its first page; reversed, the page is at the end of the last one.
  await boxes.sortBy('Updated');
  await expect(page).toHaveURL(new RegExp(`\\?q=${owner.username}$`));
  await expect(boxes.header('Downloads')).toHaveAttribute('aria-sort', 'descending');
  await boxes.open(`?q=${owner.username}&sort=updated&order=asc&page=${pages}`);
  await expect(boxes.tags.last()).toHaveText(`${owner.username}/a-last`);
  await expect(boxes.next).toHaveAttribute('aria-disabled', 'true');
  await press(page, '[');
  await expect(page.getByText(`Page ${pages - 1}`, { exact: true })).toBeVisible();

  await boxes.provider.fill('hyp');
  await page.getByRole('option', { name: 'hyperv' }).click();
  await expect(boxes.tags).toHaveText([`${owner.username}/a-last`]);
  await expect(page).toHaveURL(/[?&]provider=hyperv/);
  await expect(page).not.toHaveURL(/page=/);
  await page.reload();
  await expect(boxes.provider).toHaveValue('hyperv');
  await expect(boxes.tags).toHaveText([`${owner.username}/a-last`]);
  await boxes.search.fill('no such box');
  await page.getByRole('button', { name: 'Show all boxes' }).click();
  await expect(page).toHaveURL(/\/local\/boxes$/);
  await expect(boxes.tags).not.toHaveCount(0);
  await boxes.open(`?q=${owner.username}&page=${pages + 1}&sort=sideways`);
  await expect(page.getByText(`Page ${pages + 1} doesn't exist.`)).toBeVisible();
  await page.getByRole('button', { name: 'Go to the first page' }).click();
  await expect(boxes.tags).not.toHaveCount(0);
});
