import type { Page } from '@playwright/test';
import { expect, test } from '../../fixtures/test.ts';
import { question, visit } from '../../fixtures/vocabulary.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretPage } from '../../pages/secret-page.ts';

test('secrets and folders are moved completely or not at all', async ({
  signedIn: page,
  secrets,
  createPerson,
  openBrowser,
}) => {
  test.slow();
  await test.step('a secret is renamed with its history, copied, and never overwrites another', async () => {
    for (const password of ['one', 'two']) await secrets.write('app/db', { password });
    await secrets.setMetadata('app/db', { custom_metadata: { owner: 'ines' } });
    await secrets.write('app/taken', { password: 'another' });
    const secret = new SecretPage(page, secrets);
    await secret.open('app/db');
    await secret.choose('Move, copy or rename');
    const path = page.getByLabel('New path', { exact: false });
    await path.fill('app/taken');
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText(
      'A secret already exists at the new path. Nothing is overwritten, so choose another path.',
    );
    await path.fill('app/database');
    await page.getByRole('button', { name: 'Rename secret' }).click();
    const panel = page.getByRole('region', { name: /^Rename .*app\/db to .*app\/database$/ });
    await expect(panel).toContainText('1 secret written, 1 removed from the old path.');
    await expect(panel.getByRole('listitem')).toContainText([/Wrote version 1/, /Removed/]);
    expect(await secrets.has('app/db')).toBe(false);
    expect(await secrets.read('app/database', 1)).toEqual({ password: 'one' });
    expect(await secrets.metadata('app/database')).toMatchObject({
      current_version: 2,
      custom_metadata: { owner: 'ines' },
    });

    await visit(page, secrets.place('move', 'app/database'));
    await page.getByText('Copy', { exact: true }).click();
    await page.getByText('Newest version only', { exact: true }).click();
    await path.fill('copies/database');
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await expect(page.getByText('1 secret written.')).toBeVisible();
    expect((await secrets.metadata('copies/database')).current_version).toBe(1);
    expect(await secrets.has('app/database')).toBe(true);
  });
  await test.step('the preview says that an older version becomes current if the newest one is deleted', async () => {
    for (const password of ['one', 'two']) await secrets.write('app/gone', { password });
    await secrets.take('delete', 'app/gone', [2]);
    await visit(page, secrets.place('move', 'app/gone'));
    await expect(
      page.getByText(/^The newest version, 2, is deleted.* the values of version 1 become current/),
    ).toBeVisible();
    await secrets.write('app/whole', { password: 'one' });
    await visit(page, `${secrets.place('move', 'app')}?folder=true`);
    await expect(
      page.getByText(/^The newest version is deleted,.*: app\/gone\. At the new path, the last/),
    ).toBeVisible();
  });
  await test.step('a missing secret is reported', async () => {
    await visit(page, secrets.place('move', 'app/nowhere'));
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect(preview).toContainText("This secret doesn't exist");
    await expect(preview).toContainText(/Nothing exists at .*app\/nowhere\./);
    await expect(preview).not.toContainText("can't be read");
  });
  await test.step('a folder is moved as a whole, and moved back as a whole if a step fails', async () => {
    for (const name of ['a', 'b/c', 'b/d']) await secrets.write(`from/${name}`, { value: name });
    const other = await openBrowser(await createPerson());
    await secrets.connect(
      other,
      await secrets.token(
        'mover',
        `path "MOUNT/*" { capabilities = ["create", "read", "update", "delete", "list"] }
         path "MOUNT/data/to/b/d" {
           capabilities = ["create", "read", "update"]
           denied_parameters = { "data" = [] }
         }`,
      ),
    );
    // Only trying shows that one of the writes is refused.
    await other.goto(`${secrets.place('move', 'from')}?folder=true`);
    await other.getByLabel('New folder path', { exact: false }).fill('to');
    await expect(other.getByRole('grid', { name: 'Planned writes' }).getByRole('rowheader')).toHaveCount(3);
    await moveKnowingly(other, 'from');
    await expect(other.getByText(/^Rolled back: a step failed/)).toBeVisible();
    // Nothing is lost, and nothing is left behind.
    for (const name of ['a', 'b/c', 'b/d'])
      expect(await secrets.read(`from/${name}`)).toEqual({ value: name });
    expect(await secrets.has('to/a')).toBe(false);

    await visit(page, secrets.place('folder', 'from'));
    await new SecretFolderPage(page, secrets).choose('Move, copy or rename');
    await page.getByLabel('New folder path', { exact: false }).fill('to/here');
    await moveKnowingly(page, 'from');
    await expect(page.getByText('3 secrets written, 3 removed from the old paths.')).toBeVisible();
    expect(await secrets.read('to/here/b/d')).toEqual({ value: 'b/d' });
    expect(await secrets.has('from/a')).toBe(false);
  });
});

/** Moves a folder, whose name is typed because what is deleted in it can't be restored afterwards. */
async function moveKnowingly(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^(?:Move|Rename) folder$/ }).click();
  const ask = question(page);
  await expect(ask).toContainText('nobody can restore what this deletes');
  await ask.getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
}
