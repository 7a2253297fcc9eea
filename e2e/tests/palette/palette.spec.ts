import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { press } from '../../fixtures/vocabulary.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';

test('actions, places and targets are reached with only the keyboard', async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget({ name: 'far (away) "machine"' });
  await page.goto('/local/connections');
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await press(page, 'Control+k');
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await expect(palette.getByRole('group', { name: 'Places' })).toBeVisible();
  await expectAccessible(page, 'palette');
  await page.keyboard.type('a');
  await expect(palette.getByRole('group', { name: 'Plugins' })).toBeVisible();
  // Until other results arrive, only those stay that match.
  const late = Promise.withResolvers<void>();
  await page.route('**/search?*', async (route) => {
    await late.promise;
    await route.continue();
  });
  await press(page, 'Backspace');
  await page.keyboard.type('(away) "m');
  await expect(palette.getByRole('group', { name: 'Plugins' })).toHaveCount(0);
  late.resolve();
  await expect(
    palette
      .getByRole('group', { name: 'Targets' })
      .getByRole('menuitem', { name: /^far \(away\) "machine"/ }),
  ).toHaveAttribute('data-focused');
  await expectAccessible(page, 'palette with found records');
  await press(page, 'Enter');
  await expect(new TargetPage(page).heading).toHaveText(target.name);

  await press(page, 'Control+k');
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await expect(palette.getByRole('group', { name: 'On this page' })).toContainText('Authorize session');
  await expect(palette.getByRole('group', { name: 'Recent' })).toHaveCount(0);
  await page.keyboard.type('edit this');
  await expect(palette.getByRole('menuitem', { name: /^Edit this/ })).toHaveAttribute('data-focused');
  await press(page, 'Enter');
  await expect(new TargetForm(page).name).toBeFocused();

  await press(page, 'Control+k');
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('sess');
  await expect(palette.getByRole('menuitem', { name: /^Sessions/ })).toHaveAttribute('data-focused');
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible();
  await page.getByText('Mine', { exact: true }).click();
  await expect(page).toHaveURL(/\?mine=true$/);
  await press(page, 'Control+k');
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await expect(palette.getByRole('group', { name: 'Recent' })).toContainText(target.name);
  await page.keyboard.type('no such thing anywhere');
  await expect(palette.getByText('No results. Try fewer or other words.')).toBeVisible();
  await palette.getByRole('searchbox').fill('publish xylophone');
  await expect(palette.getByRole('group', { name: 'Closest matches' })).toContainText('Publish a box');
  await palette.getByRole('searchbox').fill('live sessions');
  await expect(palette.getByRole('menuitem', { name: /^Sessions/ })).toContainText('This page');
  await press(page, 'Enter');
  await expect(palette).toHaveCount(0);
  await expect(page).toHaveURL(/\/sessions\?mine=true$/);
});

test('a verb and a name open the dialog of that record', async ({ signedIn: page, createTarget }) => {
  const target = await createTarget({ name: 'harbor-crane' });
  await page.goto('/local/connections');
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  for (const [typed, item, dialog] of [
    ['harbor ssh', 'Authorize', 'Authorize a session on harbor-crane'],
    ['remove target harbor-crane', 'Delete', 'Delete target harbor-crane?'],
  ] as const) {
    await press(page, 'Control+k');
    await page.keyboard.type(typed);
    await expect(palette.getByRole('menuitem').first()).toHaveAccessibleName(
      new RegExp(`^${item} ${target.name}`),
    );
    await press(page, 'Enter');
    await expect(page.getByRole('heading', { name: dialog })).toBeVisible();
    await page.reload();
    await expect(new TargetPage(page).heading).toHaveText(target.name);
    await expect(page.getByRole('heading', { name: dialog })).toHaveCount(0);
  }
});

test('typing searches the server once, after a pause', async ({ signedIn: page }) => {
  await page.clock.install();
  await page.goto('/local/connections');
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible();
  await press(page, 'Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('searchbox')).toBeFocused();
  const searches: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/search')) searches.push(url.searchParams.get('text') ?? '');
  });
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  for (const letter of 'database') {
    await page.keyboard.type(letter);
    await page.clock.runFor(100);
  }
  expect(searches).toEqual([]);
  await page.clock.runFor(100);
  await expect.poll(() => searches).toEqual(['database']);
});

test('favorites are found first, on the Overview and in the palette', async ({
  createPerson,
  createTarget,
  openBrowser,
  controller,
}) => {
  // The word "target" would be read as a kind, and its number finds others.
  const target = await createTarget({ name: 'favorite-quay' });
  const page = await openBrowser(await createPerson('operator'));
  await page.goto(`/local/targets/${target.id}`);
  await page.getByRole('button', { name: 'Add to favorites' }).click();
  await expect(page.getByRole('button', { name: 'Remove from favorites' })).toBeVisible();
  await expectAccessible(page, 'favorite target');
  await page.goto('/local');
  const card = page.getByRole('group', { name: 'Favorites' });
  await expect(card.getByRole('link', { name: target.name })).toBeVisible();
  await expectAccessible(page, 'Overview with a favorite');
  await press(page, 'Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await expect(palette.getByRole('group', { name: 'Favorites' })).toContainText(target.name);
  await page.keyboard.type(target.name);
  // The record itself isn't listed a second time.
  await expect(palette.getByLabel('Searching')).toHaveCount(0);
  await expect(palette.getByRole('menuitem', { name: target.name })).toHaveCount(1);
  await press(page, 'Enter');
  await expect(new TargetPage(page).heading).toHaveText(target.name);
  await controller.remove('targets', target.id);
  await page.reload();
  await expect(page.getByRole('main').getByRole('button', { name: 'Remove from favorites' })).toBeVisible();
  await page.goto('/local');
  await expect(card).toContainText('Not found');
  await card.getByRole('button', { name: `Remove ${target.name} from favorites` }).click();
  await expect(card).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('group', { name: /^Services of / })).toBeVisible();
  await expect(card).toHaveCount(0);
});

test('the header of a narrow window opens it, and has the focus again afterwards', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/local/targets');
  const open = page.getByRole('button', { name: 'Search or run' });
  await open.click();
  await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox')).toBeFocused();
  await press(page, 'Escape');
  await expect(open).toBeFocused();
  await expectAccessible(page, 'header of a narrow window');
});
