import fs from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretPage } from '../../pages/secret-page.ts';

const key = '-----BEGIN KEY-----\nabc\r\ndef "quoted" \'single\' $HOME \\n\n-----END KEY-----\n';

/** Exports what is open. @returns the file's text */
async function exported(page: Page, format: 'JSON' | 'dotenv'): Promise<string> {
  await page.getByRole('radiogroup', { name: 'File format' }).getByText(format, { exact: true }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export (?:to a file|again)$/ }).click();
  return fs.readFile(await (await saved).path(), 'utf8');
}

test('secrets are exported to files and imported, completely or not at all', async ({
  signedIn: page,
  secrets,
}) => {
  test.slow();
  await test.step('a folder is exported as JSON and imported elsewhere, with all newlines and digits', async () => {
    await secrets.write('from/db', { user: 'app', key });
    await secrets.write('from/deep/n', { number: 0.1, list: [1, { a: null }] });
    const folder = new SecretFolderPage(page, secrets);
    await folder.open('from');
    await folder.choose('Export to a file');
    const text = await exported(page, 'JSON');
    expect(JSON.parse(text)).toEqual({
      db: { user: 'app', key },
      'deep/n': { number: 0.1, list: [1, { a: null }] },
    });

    await secrets.write('to/db', { user: 'app', other: 'lost' });
    await secrets.write('to/deep/n', { number: 0.1, list: [1, { a: null }] });
    await folder.open('to');
    await folder.choose('Import from a file');
    await page
      .getByLabel('File to import')
      .setInputFiles({ name: 'from.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Review changes' }).click();
    await expect(page.getByRole('group', { name: 'Review', exact: true })).toBeFocused();
    const review = page.getByRole('grid', { name: 'Import preview' });
    await expect(review.getByRole('row').filter({ hasText: 'deep/n' })).toContainText('Unchanged');
    await expect(review.getByRole('row').filter({ hasText: 'other' })).toContainText('Changes');
    await expect(review).not.toContainText('BEGIN KEY');
    await page.getByRole('button', { name: 'Import 1 secret' }).click();
    await expect(page.getByText('1 secret written.')).toBeVisible();
    expect(await secrets.read('to/db')).toEqual({ user: 'app', key });
    expect((await secrets.metadata('to/deep/n')).current_version).toBe(1);
    const imported = new SecretPage(page, secrets);
    await page.getByRole('link', { name: 'Open the secret' }).click();
    await expect(imported.field('user')).toBeVisible();
    await imported.open('to/db', '?tab=versions');
    // The first version was written outside the console, so nobody is named.
    await expect(imported.version(2).getByRole('gridcell', { name: 'First administrator' })).toBeVisible();
    await expect(imported.version(1).getByRole('gridcell', { name: 'First administrator' })).toHaveCount(0);
  });
  await test.step("an import that meets another user's new version is undone", async () => {
    await secrets.write('b', { value: 'before' });
    await visit(page, secrets.place('import'));
    await page.getByLabel('Or paste text').fill('{"a": {"value": "new"}, "b": {"value": "new"}}');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const go = page.getByRole('button', { name: 'Import 2 secrets' });
    await expect(go).toBeEnabled();
    await secrets.write('b', { value: 'theirs' });
    await go.click();
    await expect(page.getByText(/Rolled back/)).toBeVisible();
    expect(await secrets.read('b')).toEqual({ value: 'theirs' });
    expect(await secrets.has('a')).toBe(false);
  });
  await test.step('a secret is exported as dotenv and pasted with newlines, and a broken line is named by its number', async () => {
    await secrets.write('app', { USER: 'app', KEY: key, 'not a name': 'x' });
    const secret = new SecretPage(page, secrets);
    await secret.open('app');
    await secret.choose('Export to a file');
    const text = await exported(page, 'dotenv');
    expect(text).toContain('USER=app');
    await expect(page.getByText('app: not a name')).toBeVisible();

    await visit(page, secrets.place('import'));
    const pasted = page.getByLabel('Or paste text');
    await pasted.fill('A=1\nB="never closed');
    await page.getByLabel('Secret name', { exact: false }).fill('copy');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await expect(page.getByText('Line 2.')).toBeVisible();
    await pasted.fill(text);
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Import 1 secret' }).click();
    await expect(page.getByText('1 secret written.')).toBeVisible();
    expect(await secrets.read('copy')).toEqual({ USER: 'app', KEY: key });
  });
});
