import { expectFits } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';

test.use({ viewport: { width: 320, height: 560 } });

test('the screens of sources fit a narrow window', async ({ signedIn: page, sources, createTarget }) => {
  const set = await sources.hostSet('primaries', [await sources.host('db-1')]);
  const credential = await sources.credential('app');
  const target = await createTarget({ address: '' });
  await sources.link(target, set);
  const catalog = `/local/host-sources/${(await sources.catalog()).id}`;
  const store = `/local/credential-sources/${(await sources.store()).id}`;
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
    await page.goto(screen);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0);
    await expectFits(page, screen);
  }
});
