import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { connectThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { press } from '../../fixtures/vocabulary.ts';
import { expect, test } from '../../fixtures/without-replication.ts';
import { ReplicationPage } from '../../pages/replication-page.ts';

test('a server without replication is shown with its nodes and their roles', async ({ signedIn: page }) => {
  await page.goto('/local/connections');
  await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
  await press(page, 'g', 'e');
  await expect(page.getByText("This server doesn't support performance replication")).toBeVisible();
  await expect(new ReplicationPage(page).acts).toHaveCount(0);

  await connectThroughApi(page.request, 'secrets', {
    method: 'password',
    login_name: loginNames.administrator,
    password,
  });
  await page.reload();
  const shown = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem');
  await expect(shown).toHaveCount(2);
  await expect(shown.filter({ hasText: 'bao-1' })).toContainText('Active');
  await expect(shown.filter({ hasText: 'bao-2' })).toContainText('Standby');
  await expectAccessible(page, 'a server without replication');
  await page.setViewportSize({ width: 400, height: 860 });
  await expectFits(page, 'a server without replication');
});
