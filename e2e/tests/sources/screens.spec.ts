import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { openScreen } from '../../fixtures/vocabulary.ts';

async function arrive(page: Page, screen: string): Promise<void> {
  await openScreen(page, screen);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

test('the screens of sources are accessible, and fit a narrow window', async ({
  signedIn: page,
  sources,
  createTarget,
}) => {
  test.slow();
  const host = await sources.host('db-1');
  const set = await sources.hostSet('primaries', [host]);
  const credential = await sources.credential('app');
  const target = await createTarget({ address: '' });
  await sources.link(target, set);
  const catalog = `/local/host-sources/${(await sources.catalog()).id}`;
  const store = `/local/credential-sources/${(await sources.store()).id}`;
  await test.step('the screens of sources that no other test checks are accessible', async () => {
    const screens = [
      '/local/credential-sources/new',
      `${store}?tab=details`,
      `${await sources.placeOfCredential(credential)}/retire`,
      `${catalog}/hosts/new`,
      `${catalog}/hosts/${host.id}`,
      `${catalog}/hosts/${host.id}/edit`,
    ];
    for (const screen of screens) {
      await arrive(page, screen);
      await expectAccessible(page, screen);
    }
  });
  await test.step('the screens of sources fit a narrow window', async () => {
    await page.setViewportSize({ width: 320, height: 560 });
    const screens = [
      '/local/host-sources',
      catalog,
      `${catalog}?tab=details`,
      `${catalog}/sets/${set.id}`,
      `${catalog}/sets/${set.id}/hosts`,
      `${catalog}/sets/${set.id}/retire`,
      store,
      `${store}/credentials/new`,
      `${store}/credentials/${credential.id}`,
      `/local/targets/${target.id}/sources`,
    ];
    for (const screen of screens) {
      await arrive(page, screen);
      await expectFits(page, screen);
    }
  });
});
