import { SecretEngine } from '../../fixtures/secret-engine.ts';
import { expect, test } from '../../fixtures/test.ts';
import { press } from '../../fixtures/vocabulary.ts';
import { SecretFolderPage } from '../../pages/secret-folder-page.ts';
import { SecretPage } from '../../pages/secret-page.ts';

const count = 100_000;
test.use({ secretCount: count });

test('a folder of 100,000 secrets opens immediately, and a search of 2,000 folders shows results early and can be stopped', async ({
  stack,
  signedIn: page,
}) => {
  test.setTimeout(240_000);
  const engine = await SecretEngine.first(stack);
  const folder = new SecretFolderPage(page, engine);
  await folder.open('fleet');
  await expect(folder.rows(folder.names).first()).toHaveText('host-000001');
  await expect(folder.tree.getByRole('treeitem', { name: 'host-000001' })).toBeVisible();
  // Only visible rows exist, in the list and in the tree.
  expect(await folder.names.getByRole('row').count()).toBeLessThan(80);
  expect(await folder.tree.getByRole('treeitem').count()).toBeLessThan(80);

  await folder.link('host-000001').focus();
  await press(page, 'Control+End');
  await expect(folder.rows(folder.names).filter({ hasText: 'host-000500' })).toBeVisible();
  await expect(page.getByText('5,500 names loaded, more as you scroll').first()).toBeVisible();
  await press(page, 'Control+End');
  await expect(folder.rows(folder.names).filter({ hasText: 'host-005500' })).toBeVisible();

  await folder.search.fill('host-099');
  await expect(folder.progress).toHaveText('Searched all 100,000 secrets in 1 folder.');
  await expect(folder.found).toHaveAttribute('aria-rowcount', '1001');
  await folder.search.fill('99997');
  await expect(folder.rows(folder.found)).toHaveText(['host-099997']);
  await folder.rows(folder.found).getByRole('link').click();
  await expect(new SecretPage(page, engine).heading).toHaveText('host-099997');

  await folder.open('teams');
  await expect(folder.rows(folder.names).first()).toBeVisible();
  // Such a slow connection that the search is still running when it is stopped.
  const network = await page.context().newCDPSession(page);
  const limitTo = (downloadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput,
      uploadThroughput: -1,
    });
  await limitTo(20_000);
  await folder.search.fill('token');
  await expect(folder.rows(folder.found).first()).toBeVisible();
  await expect(folder.progress).toContainText('to go');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(folder.progress).toHaveText(/^Stopped after [\d,]+ secrets? in [\d,]+ folders?\.$/);
  await limitTo(-1);
  await page.getByRole('button', { name: 'Search again' }).click();
  // However long 2,000 requests take on a busy machine.
  await expect(folder.progress).toHaveText(/2,00[01] folders\.$|^Stopped after 1,000 results/, {
    timeout: 120_000,
  });
});
