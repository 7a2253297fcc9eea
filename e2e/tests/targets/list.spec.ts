import type { Item } from '@gatehouse/stack/access-client';
import { expect, test } from '../../fixtures/test.ts';
import {
  clickRowAction,
  expectFieldError,
  expectNoRow,
  expectRowVisible,
  expectToast,
  press,
  tabTo,
} from '../../fixtures/vocabulary.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

/** Three targets that differ in everything that is searched or sorted. */
async function threeTargets(
  createTarget: (fields?: Readonly<Record<string, unknown>>) => Promise<Item>,
): Promise<readonly [Item, Item, Item]> {
  const database = { name: 'db primary', address: 'db.internal', description: 'orders', type: 'tcp' };
  return [
    await createTarget({ ...database, attributes: { default_port: 5432 } }),
    await createTarget({ name: 'bastion', address: '10.9.8.7', type: 'ssh', attributes: {} }),
    await createTarget({ name: 'desk 12', address: 'desk.example', type: 'rdp', attributes: {} }),
  ];
}

test("a project's targets are listed, searched, sorted, filtered and deleted, also by keyboard", async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  test.slow();
  const [database, bastion] = await threeTargets(createTarget);
  const targets = new TargetsPage(page);
  await test.step('the list of a project shows its targets, by name', async () => {
    await targets.open(project.id);
    await expect(targets.names).toHaveText(['bastion', 'db primary', 'desk 12']);
    await expect(targets.count).toHaveText('3 targets');
    await expectRowVisible(targets.grid, {
      Name: 'db primary',
      Type: 'tcp',
      Address: 'db.internal',
      Port: '5432',
      Project: project.name,
    });
    await expectRowVisible(targets.grid, { Name: 'bastion', Type: 'ssh', Port: '22' });
    await expectRowVisible(targets.grid, { Name: 'desk 12', Type: 'rdp', Port: '3389' });
  });
  await test.step('search finds by name, address, description and ID, and is in the address', async () => {
    await targets.open(project.id);
    for (const [text, found] of [
      ['PRIMARY', 'db primary'],
      ['10.9', 'bastion'],
      ['orders', 'db primary'],
      [bastion.id, 'bastion'],
    ] as const) {
      await targets.search.fill(text);
      await expect(targets.names).toHaveText([found]);
    }
    await targets.search.fill('no such thing');
    await expect(page.getByText(/^No targets match "no such thing" in .+\.$/)).toBeVisible();
    await page.getByRole('button', { name: 'Clear' }).last().click();
    await expect(targets.names).toHaveCount(3);

    // Longer than an ID may contain by chance.
    await targets.search.fill('primary');
    await expect(page).toHaveURL(/[?&]q=primary\b/);
    await page.reload();
    await expect(targets.search).toHaveValue('primary');
    await expect(targets.names).toHaveText([database.name]);
    // Typing replaces the address, so one step back leaves the list.
    await targets.search.press('Escape');
    await expect(targets.names).toHaveCount(3);
  });
  await test.step('each sortable column sorts both ways, and returns to the order by name', async () => {
    await targets.open(project.id);
    await expect(targets.names).toHaveText(['bastion', 'db primary', 'desk 12']);
    await expect(targets.header('Name')).toHaveAttribute('aria-sort', 'ascending');
    await targets.sortBy('Name');
    await expect(targets.names).toHaveText(['desk 12', 'db primary', 'bastion']);
    await targets.sortBy('Port');
    await expect(targets.names).toHaveText(['bastion', 'desk 12', 'db primary']);
    await expect(page).toHaveURL(/sort=default_port/);
    await page.reload();
    await expect(targets.names).toHaveText(['bastion', 'desk 12', 'db primary']);
    await targets.sortBy('Port');
    await expect(targets.header('Port')).toHaveAttribute('aria-sort', 'descending');
    await targets.sortBy('Port');
    await expect(targets.header('Port')).toHaveAttribute('aria-sort', 'none');
    await expect(targets.names).toHaveText(['bastion', 'db primary', 'desk 12']);
  });
  await test.step('the controller runs a filter expression, and an error is reported in place', async () => {
    await targets.open(project.id);
    await targets.filterBy('"/item/type" == "ssh"');
    await expect(targets.names).toHaveText(['bastion']);
    await expect(page).toHaveURL(/filter=/);
    await page.reload();
    await expect(targets.filter).toHaveValue('"/item/type" == "ssh"');
    await expect(targets.names).toHaveText(['bastion']);

    await targets.filterBy('"/item/type" ==');
    await expectFieldError(page, 'Filter expression', /\S/);
    await expect(page.getByText("The filter expression wasn't accepted. Correct it above.")).toBeVisible();
    await expect(targets.filter).toHaveValue('"/item/type" ==');
    await targets.filterBy('"/item/name" contains "des"');
    await expect(targets.names).toHaveText(['desk 12']);
    await page.goBack();
    await page.goBack();
    await expect(targets.names).toHaveText(['bastion']);
  });
  await test.step('the grid can be used with only the keyboard', async () => {
    await targets.open(project.id);
    await expect(targets.names).toHaveCount(3);
    await tabTo(page, targets.select('bastion'));
    await press(page, 'ArrowRight');
    await expect(targets.link('bastion')).toBeFocused();
    await press(page, 'j', 'j', 'k');
    await expect(targets.link('db primary')).toBeFocused();
    await press(page, 'ArrowDown');
    await expect(targets.link('desk 12')).toBeFocused();
    await press(page, 'ArrowDown');
    await expect(targets.link('desk 12')).toBeFocused();
    await press(page, 'Control+Home');
    await expect(targets.select('bastion')).toBeFocused();
    await press(page, 'Space');
    await expect(targets.select('bastion')).toBeChecked();
    await expect(page.getByText('1 target selected').first()).toBeVisible();
    await press(page, 'ArrowDown', 'ArrowDown', 'Shift+Space');
    await expect(page.getByText('3 targets selected').first()).toBeVisible();
    await press(page, 'ArrowUp', 'ArrowRight', 'Enter');
    await expect(new TargetPage(page).heading).toHaveText('db primary');
    await page.goBack();
    await expect(targets.names).toHaveCount(3);
    await press(page, '/');
    await expect(targets.search).toBeFocused();
    await page.keyboard.type('dek');
    await press(page, 'ArrowLeft', 's');
    await expect(targets.search).toHaveValue('desk');
    await tabTo(page, page.getByRole('button', { name: 'Columns' }), 6);
    await targets.search.press('Escape');
    await expect(targets.names).toHaveCount(3);
  });
  await test.step("a row's menu opens by keyboard, and copies, clones and edits", async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await targets.open(project.id);
    await clickRowAction(page, 'db primary', 'Copy ID');
    await expectToast(page, 'ID copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(database.id);
    await targets.link('db primary').focus();
    await press(page, 'Shift+F10');
    await expect(page.getByRole('menuitem', { name: 'Open' })).toBeFocused();
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
    await expect(page).toHaveURL(new RegExp(`/targets/${database.id}/edit`));
  });
  await test.step('many are selected and deleted at once, after the number was typed', async () => {
    await targets.open(project.id);
    await targets.select('bastion').click();
    await targets.select('desk 12').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 targets?' });
    await expect(dialog).toContainText('desk 12, bastion');
    await dialog.getByRole('button', { name: 'Delete 2 targets' }).click();
    await expectFieldError(dialog, 'Type delete 2 to confirm', /This doesn't match. Type delete 2 exactly/);
    await page.keyboard.type('delete 2');
    await page.keyboard.press('Enter');
    await expectToast(page, '2 targets deleted');
    await expect(targets.names).toHaveText(['db primary']);
    await expectNoRow(targets.grid, { Name: 'bastion' });
  });
});

test('the scope tree filters the list, with or without the scopes below', async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  const target = await createTarget({ name: `only in ${project.id}` });
  const targets = new TargetsPage(page);
  await targets.open();
  await expect(targets.scope('global')).toHaveAttribute('aria-selected', 'true');
  await expect(targets.link(target.name)).toBeVisible();
  await targets.toggleRecursive();
  await expect(page).toHaveURL(/recursive=false/);
  await expect(page.getByText('Targets belong to projects. This scope has none of its own.')).toBeVisible();
  await page.getByRole('button', { name: 'Include scopes below' }).click();
  await expect(targets.link(target.name)).toBeVisible();

  await targets.scope(project.name).click();
  await expect(page).toHaveURL(new RegExp(`scope=${project.id}`));
  await expect(targets.names).toHaveText([target.name]);
  await expect(targets.recursive).toHaveAccessibleDescription('A project contains no other scopes.');
  // A scope has an address, so Back opens the previous one.
  await page.goBack();
  await expect(targets.scope('global')).toHaveAttribute('aria-selected', 'true');
  await expect(targets.names).not.toHaveCount(1);
  await page.goForward();
  await expect(targets.names).toHaveText([target.name]);
  await page.reload();
  await expect(targets.names).toHaveText([target.name]);
});

test('arranged columns stay after a reload and in another browser of the user', async ({
  createPerson,
  openBrowser,
  project,
  createTarget,
}) => {
  await createTarget();
  const person = await createPerson();
  const page = await openBrowser(person);
  const targets = new TargetsPage(page);
  await targets.open(project.id);
  await expect(targets.header('Address')).toBeVisible();
  await expect(targets.header('Description')).toHaveCount(0);
  for (const header of ['Address', 'Description']) {
    const kept = page.waitForResponse(
      (answer) => answer.url().includes('/api/preferences') && answer.request().method() === 'PUT',
    );
    await targets.toggleColumn(header);
    await kept;
  }
  await expect(targets.header('Address')).toHaveCount(0);
  await expect(targets.header('Description')).toBeVisible();
  await page.reload();
  await expect(targets.header('Description')).toBeVisible();
  await expect(targets.header('Address')).toHaveCount(0);

  const elsewhere = new TargetsPage(await openBrowser(person));
  await elsewhere.open(project.id);
  await expect(elsewhere.header('Description')).toBeVisible();
  await expect(elsewhere.header('Address')).toHaveCount(0);
});
