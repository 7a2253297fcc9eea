import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, press, question, tabTo } from '../../fixtures/vocabulary.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';

test('names, values and histories at their limits', async ({ signedIn: page, secrets }) => {
  test.slow();
  await test.step('names with spaces, Unicode, percent signs and quotes are created, found, opened and edited', async () => {
    const name = `50% "off" 'é' + a&b=c?#x`;
    const path = `Größe 1/日本 語/${name}`;
    const form = new SecretForm(page, secrets);
    await form.openNew();
    await form.path.fill(path);
    await form.add('naïve key "x" 100%', 'line 1\nline 2\t"quoted" \\ 😀');
    await form.add('__proto__', 'a key like any other');
    await form.saveVersion.click();
    const secret = new SecretPage(page, secrets);
    await expect(secret.heading).toHaveText(name);
    expect(JSON.stringify(await secrets.read(path))).toBe(
      JSON.stringify({
        'naïve key "x" 100%': 'line 1\nline 2\t"quoted" \\ 😀',
        ['__proto__']: 'a key like any other',
      }),
    );
    await page.reload();
    await secret.reveal('naïve key "x" 100%');
    await expect(secret.field('naïve key "x" 100%')).toContainText('😀');

    const folder = new SecretFolderPage(page, secrets);
    await folder.open();
    await folder.search.fill('50% off');
    await folder.rows(folder.found).getByRole('link').click();
    await expect(secret.heading).toHaveText(name);
    await secret.edit.click();
    await form.remove('__proto__');
    await form.saveVersion.click();
    await expectToast(page, `Version 2 of ${secrets.name(path)} saved`);
    expect(Object.keys(Object(await secrets.read(path)))).toEqual(['naïve key "x" 100%']);
    await folder.open();
    await folder.link('Größe 1/').click();
    await folder.link('日本 語/').click();
    await expect(folder.rows(folder.names)).toHaveText([name]);
  });
  await test.step('a value of 1 MiB is read, edited and stored to the last character', async () => {
    const large = `${`${'0123456789abcdef'.repeat(64)}\n`.repeat(1023)}the end`;
    await secrets.write('large', { blob: large, small: 'x' });
    const secret = new SecretPage(page, secrets);
    await secret.open('large');
    await secret.reveal('blob');
    await expect(secret.field('blob')).toContainText('0123456789abcdef');
    await secret.edit.click();
    const form = new SecretForm(page, secrets);
    await form.form.getByRole('button', { name: 'Reveal to edit blob', exact: true }).click();
    await form.value('blob').focus();
    await press(page, 'Control+End', '!');
    await form.saveVersion.click();
    await expectToast(page, `Version 2 of ${secrets.name('large')} saved`);
    const stored = Object(await secrets.read('large'));
    expect(stored.blob === `${large}!`).toBe(true);
    expect(stored.small).toBe('x');
  });
  await test.step('200 versions are on the timeline, any two are compared, and the oldest is restored', async () => {
    await secrets.configure({ max_versions: 200 });
    for (let version = 1; version <= 205; version += 1) await secrets.write('db', { count: version });
    const secret = new SecretPage(page, secrets);
    await secret.open('db', '?tab=versions');
    await expect(secret.timeline).toHaveAttribute('aria-rowcount', '201');
    await expect(page.getByText('5 versions were removed because of the version limit')).toBeVisible();
    await secret.timeline.getByRole('rowheader').first().getByRole('link').focus();
    await press(page, 'Control+End');
    await expect(secret.version(6)).toBeVisible();
    expect(await secret.timeline.getByRole('row').count()).toBeLessThan(80);
    await secret.open('db', '?tab=versions&from=6&to=205');
    await secret.comparison.getByRole('button', { name: 'Compare the values' }).click();
    await secret.comparison.getByRole('button', { name: 'Reveal count' }).click();
    // The header contains its number too.
    await expect(secret.comparison.getByRole('table').getByText('205', { exact: true })).toBeVisible();
    await secret.comparison.getByRole('button', { name: 'Restore version 6' }).click();
    await question(page).getByRole('button', { name: 'Restore version 6' }).click();
    await expectToast(page, 'Version 6 of db restored');
    expect(await secrets.read('db')).toEqual({ count: 6 });
  });
});

test('names that end with a backslash or white space are opened, edited and deleted by keyboard', async ({
  signedIn: page,
  secrets,
}) => {
  test.slow();
  const folder = new SecretFolderPage(page, secrets);
  const secret = new SecretPage(page, secrets);
  const form = new SecretForm(page, secrets);
  const names = [
    ['C:\\keys', 'C:\\keys'],
    ['trailing ', 'trailing ·'],
  ] as const;
  await secrets.write('trailing', { untouched: 'x' });
  await secrets.write('C:\\keys', { token: ' value\n' });
  await form.openNew();
  await form.path.fill('folder /trailing ');
  await expect(form.form.getByRole('status').filter({ hasText: 'white space' })).toHaveText(
    'Includes white space at the ends: folder ·/trailing ·',
  );
  await form.path.fill('trailing ');
  await form.add('token', ' value\n');
  await expectAccessible(page, 'the form of a new secret');
  await form.saveVersion.click();
  await expect(secret.heading).toHaveText('trailing ·');
  for (const [name, shown] of names) {
    await page.goto('/local/secrets');
    await page.getByRole('textbox', { name: 'Open a path' }).fill(secrets.name(name));
    await press(page, 'Enter');
    await expect(secret.heading).toHaveText(shown);
    await folder.open();
    await expect(folder.rows(folder.names).filter({ hasText: shown })).toHaveCount(1);
    await expectAccessible(page, `the list with ${name}`);
    const link = folder.rows(folder.names).filter({ hasText: shown }).getByRole('link');
    await link.focus();
    await press(page, 'Enter');
    await expect(secret.heading).toHaveText(shown);
    await tabTo(page, page.getByRole('button', { name: 'Reveal token', exact: true }));
    await press(page, 'Enter');
    await expect(secret.field('token')).toContainText('· value ¶');
    await expectAccessible(page, `the secret ${name}`);
    await page.reload();
    await expect(secret.heading).toHaveText(shown);
    await secret.edit.focus();
    await press(page, 'Enter');
    await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText(shown);
    await form.change('token', 'edited ');
    await expect(form.form.getByText('Includes white space at the ends: … ·')).toBeVisible();
    await expectAccessible(page, `the form of ${name}`);
    await form.saveVersion.focus();
    await press(page, 'Enter');
    await expectToast(page, /^Version 2 of .* saved$/);
    expect(await secrets.read(name)).toEqual({ token: 'edited ' });
    await secret.choose('Delete permanently');
    await expect(question(page)).toContainText(shown);
    await expectAccessible(page, `asked to delete ${name}`);
    await page.keyboard.insertText(secrets.name(name));
    await press(page, 'Enter');
    await expectToast(page, / deleted permanently$/);
    expect(await secrets.has(name)).toBe(false);
  }
  expect(await secrets.read('trailing')).toEqual({ untouched: 'x' });
});

test('a name with an invisible character is distinguished from the one without, in lists and before it is deleted', async ({
  signedIn: page,
  secrets,
}) => {
  const name = 'alpha\u200b';
  await secrets.write('alpha', { a: '1' });
  await secrets.write(name, { '\u202eb': '2' });
  const folder = new SecretFolderPage(page, secrets);
  await folder.open();
  await expect(folder.rows(folder.names)).toHaveText(['alpha', 'alpha[U+200B]']);
  await folder.rows(folder.names).getByRole('link').nth(1).click();
  const secret = new SecretPage(page, secrets);
  await expect(secret.heading).toHaveText('alpha[U+200B]');
  await expect(page).toHaveTitle(/\/alpha\[U\+200B\] · /);
  await expect(secret.fields).toContainText('[U+202E]b');

  await secret.choose('Delete permanently');
  const ask = question(page);
  await expect(ask).toContainText('Delete alpha[U+200B] permanently?');
  await ask.getByRole('textbox').fill(secrets.name('alpha'));
  await ask.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(ask).toContainText(`This doesn't match. Type ${secrets.name('alpha')}[U+200B] exactly.`);
  await ask.getByRole('textbox').fill(secrets.name(name));
  await ask.getByRole('button', { name: 'Delete permanently' }).click();
  await expectToast(page, /alpha.*\[U\+200B\] deleted permanently$/);
  await expect(folder.rows(folder.names)).toHaveText(['alpha']);
});
