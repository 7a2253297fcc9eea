import { expect, test } from '../../fixtures/test.ts';
import { VaultSources } from '../../fixtures/vault-sources.ts';
import { visit } from '../../fixtures/vocabulary.ts';

test("a store says that its token expired because it couldn't be renewed in time", async ({
  signedIn: page,
  stack,
  controller,
  project,
  canaries,
}) => {
  const vault = new VaultSources(stack, controller, project, canaries);
  const store = await vault.store('secrets', await vault.token('60s'));
  await page.goto(`/local/credential-sources/${store.id}?tab=details`);
  await expect(page.getByText('Current', { exact: true })).toBeVisible();
  await stack.environments[0]?.secrets.stop();
  stack.advance(61_000);
  await stack.environments[0]?.secrets.start();
  await page.reload();
  await expect(page.getByText('The token has expired')).toBeVisible();
  await expect(page.getByText('Token expires')).toBeHidden();
  await visit(page, '/local/credential-sources');
  await expect(page.getByRole('row', { name: /secrets/ })).toContainText('Expired');
});
