import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import type { SecretEngine } from '../../fixtures/secret-engine.ts';
import { expect, test } from '../../fixtures/test.ts';
import { setVisible } from '../../fixtures/visibility.ts';
import { openScreen, question } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';

// Axe checks each state twice.
test.slow();

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

const long = 'a name that is rather long for a telephone';

/** Secrets in all states, for the screens. */
async function furnish(secrets: SecretEngine): Promise<void> {
  for (const password of ['one', 'two', 'three', 'four']) {
    await secrets.write('app/db', { user: 'app', password, tls: { key: 'k', cert: 'c' } });
  }
  await secrets.setMetadata('app/db', { custom_metadata: { owner: 'ines', purpose: 'orders' } });
  await secrets.take('delete', 'app/db', [1]);
  await secrets.take('destroy', 'app/db', [2]);
  await secrets.write('app/gone', { value: 'x' });
  await secrets.take('delete', 'app/gone', [1]);
  await secrets.write(`app/${long}`, { 'a-field-that-is-long-too': 'x' });
}

/** Screens that show records. */
function readingScreensOf(secrets: SecretEngine): readonly string[] {
  return [
    '/local/secrets',
    secrets.place('folder', 'app'),
    `${secrets.place('folder')}?q=db`,
    secrets.place('folder', 'nothing here'),
    secrets.place('secret', 'app/db'),
    secrets.place('secret', 'app/gone'),
    secrets.place('secret', `app/${long}`),
    `${secrets.place('secret', 'app/db')}?tab=versions`,
    `${secrets.place('secret', 'app/db')}?tab=metadata`,
    secrets.place('recycle-bin'),
    secrets.place('find-value'),
  ];
}

/** Screens that change records. */
function doingScreensOf(secrets: SecretEngine): readonly string[] {
  return [
    secrets.place('edit', 'app/db'),
    secrets.place('new', 'app'),
    secrets.place('metadata', 'app/db'),
    secrets.settings,
    secrets.place('move', 'app/db'),
    `${secrets.place('move', 'app')}?folder=true`,
    secrets.place('import', 'app'),
    secrets.place('export', 'app'),
  ];
}

async function arrive(page: Page, screen: string): Promise<void> {
  await openScreen(page, screen);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^(?:Loading|Looking)/ })).toHaveCount(0);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

for (const [kind, screensOf] of [
  ['look at', readingScreensOf],
  ['do something with', doingScreensOf],
] as const) {
  test(`the screens to ${kind} secrets are accessible, and fit a phone`, async ({
    signedIn: page,
    secrets,
  }) => {
    await furnish(secrets);
    for (const screen of screensOf(secrets)) {
      await page.setViewportSize(wide);
      await arrive(page, screen);
      await expectAccessible(page, screen);
      await page.setViewportSize(narrow);
      await expectFits(page, screen);
    }
  });
}

test('states of secret screens are accessible: revealed, compared, edited as JSON, in conflict, asking', async ({
  signedIn: page,
  secrets,
}) => {
  await furnish(secrets);
  await page.setViewportSize(narrow);
  const folder = new SecretFolderPage(page, secrets);
  await folder.open();
  await expect(folder.link('app/')).toBeVisible();
  await page.setViewportSize(wide);
  const secret = new SecretPage(page, secrets);
  await secret.open('app/db');
  await secret.revealAll.click();
  await expect(secret.field('password')).toContainText('four');
  await expect(await secret.isThisIt('three')).toContainText('Equals password in version 3');
  await expectAccessible(page, 'revealed and compared with a value');
  await setVisible(page, false);
  await setVisible(page, true);
  await expect(page.getByText('The values were hidden because you left the page.')).toBeVisible();
  await expectAccessible(page, 'hidden again');

  await secret.open('app/db', '?tab=versions&from=3&to=4');
  await expect(secret.comparison).toBeVisible();
  await page.setViewportSize(narrow);
  await expectFits(page, 'two versions');
  await page.setViewportSize(wide);
  await secret.comparison.getByRole('button', { name: 'Compare the values' }).click();
  await secret.comparison.getByRole('button', { name: 'Reveal password' }).click();
  await expect(secret.comparison).toContainText('four');
  await expectAccessible(page, 'two versions');
  await secret.comparison.getByText('JSON, revealed').click();
  await expect(secret.comparison.getByLabel('JSON of version 3 and version 4')).toBeVisible();
  await expectAccessible(page, 'two versions as JSON');
  await page.keyboard.press('Escape');
  await secret.select(3);
  await secret.bulk('Delete permanently').click();
  await expect(question(page)).toBeVisible();
  await expectAccessible(page, 'asked to destroy');

  const form = new SecretForm(page, secrets);
  await form.open('app/db');
  await form.change('password', 'mine');
  await form.change('user', 'me');
  await form.add('port', '1');
  await form.remove('tls');
  await form.review.click();
  await expect(form.changes).toBeVisible();
  await expectAccessible(page, 'fields under review');
  await secrets.write('app/db', { user: 'they', password: 'theirs', tls: { key: 'k', cert: 'c' } });
  await form.saveVersion.click();
  const conflict = new ConflictView(page);
  await expect(conflict.summary).toBeVisible();
  await page.setViewportSize(narrow);
  await expectFits(page, 'a conflict');
  await page.setViewportSize(wide);
  await conflict.card('password').getByRole('button', { name: 'Reveal the values' }).click();
  await conflict.choose('user', 'Edit');
  await form.saveVersion.click();
  await expect(conflict.decision('password')).toHaveAccessibleDescription(/Decide this before you save/);
  await expectAccessible(page, 'a conflict, in part decided');
  await form.editAs('JSON');
  await expect(form.showJson).toBeVisible();
  await expectAccessible(page, 'JSON with values of another user, masked');
  await form.showJson.click();
  await form.writeJson('{"user": ');
  await form.saveVersion.click();
  await expect(form.form.getByRole('alert').first()).toBeVisible();
  await expectAccessible(page, 'JSON that is none');
});
