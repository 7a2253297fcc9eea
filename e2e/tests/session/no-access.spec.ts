import { expectAccessible } from '../../fixtures/accessible.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { ConnectionsPage } from '../../pages/connections-page.ts';
import { Shell } from '../../pages/shell.ts';

test('a user without a role in a service sees that everywhere, and never that the right password is wrong', async ({
  stack,
  createPerson,
  openBrowser,
}) => {
  const person = await createPerson('read-only');
  const setRoles = async (roles: { boxes: 'read-only' | null; modules?: null }): Promise<void> => {
    const version = stack.accounts.get(person.id)?.version ?? 0;
    await stack.accounts.update(person.id, version, { roles });
  };
  await setRoles({ boxes: null, modules: null });
  const page = await openBrowser(person);
  const shell = new Shell(page);
  await page.goto('/local');
  await expect(shell.service('Box registry')).toHaveText('No access');
  await expect(shell.service('Module registry')).toHaveText('No access');
  await expect(shell.service('Secrets server')).toHaveAccessibleName(/Connected/);
  await expectAccessible(page, 'Overview without a role in two services');

  await page.goto('/local/boxes');
  const place = page.getByRole('region', { name: 'No access' });
  await expect(place).toContainText('Your account has no role in the box registry.');
  await expectAccessible(page, 'a screen without a role');
  await place.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(place.getByRole('alert')).toContainText('no role in the box registry');

  const connections = new ConnectionsPage(page);
  await connections.open();
  const row = connections.service('Box registry');
  await expect(row).toContainText('No access');
  await expect(row.getByRole('button', { name: 'Connect' })).toBeVisible();

  await setRoles({ boxes: 'read-only' });
  await page.goto('/local/boxes');
  await place.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(shell.service('Box registry')).toHaveAccessibleName(/Connected/);
});
