import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';

test('the screens of sources that no other test looks at are accessible', async ({
  signedIn: page,
  sources,
}) => {
  const host = await sources.host('db-1');
  const credential = await sources.credential('app');
  const catalog = `/local/host-sources/${(await sources.catalog()).id}`;
  const store = `/local/credential-sources/${(await sources.store()).id}`;
  const screens = [
    '/local/credential-sources/new',
    `${store}?tab=details`,
    `${await sources.placeOfCredential(credential)}/retire`,
    `${catalog}/hosts/new`,
    `${catalog}/hosts/${host.id}`,
    `${catalog}/hosts/${host.id}/edit`,
  ];
  for (const screen of screens) {
    await page.goto(screen);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0);
    await expectAccessible(page, screen);
  }
});
