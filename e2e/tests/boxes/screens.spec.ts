import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import type { BoxOwner } from '../../fixtures/box-owner.ts';
import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { BoxAccountPage } from '../../pages/box-account-page.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';

// Axe checks each state twice.
test.slow();

const long = 'a-box-with-a-name-that-is-rather-long-for-a-telephone';

/** Boxes with versions in all states, for the screens. */
async function furnish(owner: BoxOwner): Promise<void> {
  await owner.released(long, ['1.0.0', '1.1.0'], 'vmware_desktop', {
    short_description: 'Words that go on and on, so that there is something to fit',
    description:
      '# Contents\n\n| a | b |\n|---|---|\n| `code` | [link](https://docs.example.com) |\n\n> quoted\n',
  });
  await owner.move('revoke', long, '1.0.0');
  await owner.version(long, '2.0.0', { description: '- one\n- two' });
  await owner.provider(long, '2.0.0', 'libvirt', { checksum: 'ab'.repeat(64), checksum_type: 'sha512' });
  await owner.provider(long, '2.0.0', 'virtualbox', { url: '' });
  await owner.box('not-released');
}

/** A screen's address, and words that only it shows. */
type Screen = readonly [href: string, words: string];

/** Screens that show records. */
function readingScreensOf(owner: BoxOwner): readonly Screen[] {
  return [
    [`/local/boxes?q=${owner.username}`, `${owner.username}/${long}`],
    ['/local/boxes?q=nothing+is+called+so', 'No released box matches'],
    [owner.place(), 'None released'],
    [owner.place(long), 'quoted'],
    [`${owner.place(long)}?tab=versions`, 'Changelog'],
    [owner.place(long, '1.1.0'), 'This version has no change notes.'],
    [owner.place(long, '2.0.0'), 'This version is incomplete'],
    [owner.place('not-there'), 'not found'],
    ['/local/boxes/account', 'Where you can publish'],
    ['/local/boxes/organizations', 'New organization'],
    [`/local/boxes/organizations/${owner.username}`, 'Members (1)'],
  ];
}

/** Screens that change records. */
function doingScreensOf(owner: BoxOwner): readonly Screen[] {
  return [
    [`/local/boxes/new?owner=${owner.username}`, 'Create box'],
    [`${owner.place(long)}/edit`, 'Save box'],
    [`${owner.place(long)}/new-version`, 'Create version'],
    [`${owner.place(long, '2.0.0')}/edit`, 'Save version'],
    [`${owner.place(long, '2.0.0')}/new-provider`, 'Create provider'],
    [`${owner.place(long, '2.0.0', 'libvirt')}/edit`, 'Save provider'],
    ['/local/boxes/new-organization', 'Create organization'],
    [`/local/boxes/organizations/${owner.username}/edit`, 'Save organization'],
    ['/local/boxes/settings', 'Reset a second factor'],
  ];
}

/** Goes from screen to screen with links, so the page isn't reloaded. */
async function arrive(page: Page, [href, words]: Screen): Promise<void> {
  await page.evaluate((address) => {
    history.pushState({}, '', address);
  }, href);
  await expect(page.getByRole('main').getByText(words).first()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^(?:Loading|Rendering)/ })).toHaveCount(0);
}

for (const [kind, screensOf] of [
  ['look at', readingScreensOf],
  ['do something with', doingScreensOf],
] as const) {
  test(`the screens to ${kind} boxes are accessible, and fit a phone`, async ({ signedIn: page, owner }) => {
    await furnish(owner);
    await page.goto('/local/connections');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const screen of screensOf(owner)) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await arrive(page, screen);
      await expectAccessible(page, screen[0]);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectFits(page, screen[0]);
    }
  });
}

test('states of box screens are accessible: asking, changed by others, in conflict, refused', async ({
  signedIn: page,
  owner,
}) => {
  await furnish(owner);
  const box = new BoxPage(page);
  await page.goto(owner.place(long, '2.0.0'));
  await box.release.click();
  await expect(box.ask).toBeVisible();
  await expectAccessible(page, 'asked to release');
  await owner.update([long, '2.0.0'], { description: 'changed' });
  await box.confirm('Release version');
  await expect(box.ask.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'changed before the release');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page, 'changed before the release');
  await page.keyboard.press('Escape');

  await visit(page, `${owner.place(long)}/edit`);
  const form = new RecordForm(page, 'box');
  await form.field('Short description').fill('mine');
  await owner.update([long], { short_description: 'theirs' });
  await form.save('Save box').click();
  const conflict = new ConflictView(page);
  await expect(conflict.summary).toBeVisible();
  await expectFits(page, 'a conflict');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessible(page, 'a conflict');

  const account = new BoxAccountPage(page);
  await page.goto('/local/boxes/account');
  await account.newToken.click();
  await account.press('Create token');
  await expect(account.password).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'a token that misses its password');
  await account.press('Cancel');
  await account.twoFactor.getByRole('button', { name: 'Set up' }).click();
  await account.password.fill('correct horse battery');
  await account.press('Continue');
  await expect(account.dialog.getByRole('img', { name: /authenticator/ })).toBeVisible();
  await expectAccessible(page, 'a second factor to scan');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page, 'a second factor to scan');
});
