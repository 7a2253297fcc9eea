import { expectAccessible } from '../../fixtures/accessible.ts';
import { connectToCluster, expect, test } from '../../fixtures/clusters.ts';
import { password } from '../../fixtures/stack.ts';
import { expectToast, press, question, tabTo, visit } from '../../fixtures/vocabulary.ts';
import { ReplicationPage } from '../../pages/replication-page.ts';

test('a cluster becomes a primary, is demoted and promoted again, and a token works for one cluster only', async ({
  clusters,
  canaries,
  signedIn: page,
}) => {
  test.setTimeout(180_000);
  const replication = new ReplicationPage(page);
  const begin = async (label: string): Promise<void> => {
    await tabTo(page, replication.act(label));
    await press(page, 'Enter');
    await expect(question(page)).toBeVisible();
  };

  await test.step('the enabled primary names the address at which it listens', async () => {
    await page.goto('/local/replication');
    await begin('Enable as primary');
    await replication.confirmByKeys('Local');
    await expect(page.getByText(/^https:\/\/127\.0\.0\.1:\d+$/)).toBeVisible();
  });

  await test.step('the demoted cluster warns that nobody accepts writes, and the promoted one names its new address', async () => {
    const { primary_cluster_addr: address } = await clusters.status('local');
    const byName = `localhost:${new URL(String(address)).port}`;
    await begin('Demote this cluster');
    await expect(question(page).getByText(/^Writes fail everywhere/)).toBeVisible();
    await expectAccessible(page, 'the question before a primary is demoted');
    await replication.confirmByKeys('Local');
    await expectToast(page, /^Local demoted/);
    await expect(replication.act('Demote this cluster')).toHaveCount(0);
    await expectAccessible(page, 'a demoted primary');
    await begin('Promote this cluster');
    await question(page).getByRole('textbox', { name: 'Cluster address' }).fill(byName);
    await replication.typeName('Local');
    await expectToast(page, /^Local is the primary/);
    await expect(page.getByText(`https://${byName}`)).toBeVisible();
  });

  await test.step("a token encrypted to a cluster's key adds that cluster", async () => {
    const key = await clusters.publicKey('production');
    await tabTo(page, replication.act('Create an activation token'));
    await press(page, 'Enter');
    await expect(page.getByRole('textbox', { name: 'Identifier' })).toBeFocused();
    await page.keyboard.type('berlin');
    await page.getByRole('textbox', { name: 'Public key of the secondary' }).fill(key);
    await press(page, 'Enter');
    const shown = replication.tokenShown;
    await expect(shown.getByText(/Only the cluster whose public key it was created for/)).toBeVisible();
    await shown.getByRole('button', { name: 'Reveal token' }).press('Enter');
    const token = await shown.getByText(/^[\w-]{200,}$/).innerText();
    await shown.getByRole('button', { name: 'Done' }).press('Enter');
    canaries.add(token);
    await clusters.enable('production', token);
    await replication.refreshUntilVisible(replication.secondaries.getByText('Idle'));
  });

  await test.step("a secondary's mount that was moved for a replicated one is shown with both paths", async () => {
    const [primary, secondary] = await Promise.all([clusters.admin('local'), clusters.admin('production')]);
    const mount = { type: 'kv', options: { version: '2' } };
    await secondary.write('sys/mounts/team', { ...mount, local: true });
    await primary.write('sys/mounts/team', mount);
    await connectToCluster(page.request, 'production');
    await visit(page, '/production/replication');
    await replication.refreshUntilVisible(page.getByText(/^team\/ is now team-local-\d+\/$/));
    await expectAccessible(page, 'a secondary with a renamed mount');
  });

  await test.step("a secondary isn't promoted while its primary accepts writes", async () => {
    await begin('Promote this cluster');
    await expect(question(page).getByText('Local is still the primary.')).toBeVisible();
    await replication.typeName('Production', password);
    await expect(question(page).getByText('Request failed')).toBeVisible();
    await expectAccessible(page, 'a promotion that the server refuses');
    await press(page, 'Escape');
    await expect(replication.transitions.getByText('Refused').first()).toBeVisible();
  });

  await test.step('a secondary revoked by keyboard is refused', async () => {
    await visit(page, '/local/replication');
    await replication.secondaries.getByRole('button', { name: 'Actions for berlin' }).press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await press(page, 'End', 'Enter');
    await expect(question(page)).toBeVisible();
    await expectAccessible(page, 'the question before a secondary is revoked');
    await replication.confirmByKeys('berlin', password);
    await expect(replication.clusters.getByText('Refused')).toBeVisible();
  });
});
