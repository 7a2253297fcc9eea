import { expectAccessible } from '../../fixtures/accessible.ts';
import { connectToCluster, expect, test } from '../../fixtures/clusters.ts';
import { password } from '../../fixtures/stack.ts';
import { press, tabTo } from '../../fixtures/vocabulary.ts';
import { FailoverPage, ReplicationPage } from '../../pages/replication-page.ts';

test('a lost primary is replaced by force, comes back, and shows what was lost', async ({
  clusters,
  signedIn: page,
}) => {
  test.setTimeout(180_000);
  await clusters.replicate('local', 'production');
  await connectToCluster(page.request, 'production');
  const replication = new ReplicationPage(page);
  const failover = new FailoverPage(page);
  const late = `too-late-${Date.now()}`;

  await test.step('a write reaches only the primary, which then dies', async () => {
    // The console remembers what it read last.
    await page.goto('/local/replication');
    await expect(replication.clusters.getByText('Primary', { exact: true })).toBeVisible();
    const admin = await clusters.admin('local');
    await clusters.server('production').stop();
    await admin.write(`secret/data/${late}`, { data: { pin: 'sample' } });
    await clusters.server('local').stop();
    await clusters.server('production').start();
    await page.goto('/production/replication');
    await expect(replication.clusters.getByText('Disconnected')).toBeVisible();
    await expect(page.getByText("Local can't be read, and a secondary has lost its primary")).toBeVisible();
    // It has one box, though nobody has read it since this page was loaded.
    const primary = replication.clusters.getByRole('list', { name: 'Secondaries of Local' });
    await expect(primary.getByText('Production', { exact: true })).toBeVisible();
    await expect(replication.clusters.getByText(/^It was a primary when last read\./)).toBeVisible();
    await expect(replication.clusters.getByText(/no environment|isn't an environment/)).toHaveCount(0);
    await expectAccessible(page, 'a secondary whose primary is lost');
  });

  await test.step('the planner proposes the remaining cluster, and requires fencing the old primary before the promotion', async () => {
    await press(page, 'f');
    await expect(page.getByRole('radio', { name: 'The primary is lost' })).toBeChecked();
    await expect(failover.step('Check that Local is lost').getByText('Done', { exact: true })).toBeVisible();
    await expect(failover.step('Check what Production has')).toContainText(
      /last (?:contact with|heard from) Local/,
    );
    await expect(failover.step('Promote Production')).toContainText('Step 3 comes first.');
    await expectAccessible(page, 'the planner after a loss');
    await tabTo(page, failover.next.getByRole('button', { name: 'I have done this' }));
    await press(page, 'Enter');
  });

  await test.step('it is promoted by force, with the consequences shown', async () => {
    await tabTo(page, failover.next.getByRole('button', { name: 'Promote Production' }));
    await press(page, 'Enter');
    const force = page.getByRole('checkbox', { name: 'Use force' });
    await expect(force).toHaveAccessibleDescription(/Missing writes are lost/);
    await force.press('Space');
    await expectAccessible(page, 'the question before a promotion with force');
    await replication.confirm('Production', 'Promote cluster with force', password);
    await expect(failover.next).toContainText("Local can't be read");
  });

  await test.step('the old primary comes back, is demoted and rejoins, and its lost writes are named', async () => {
    await clusters.server('local').start();
    await failover.run('Demote Local when it is back');
    await failover.confirmByKeys('Local');
    await failover.run('Point Local at Production');
    await failover.confirmByKeys('Local', password);
    await expect(failover.next).toContainText('Read the lost writes');
    await failover.next.getByRole('link', { name: 'Show the lost writes' }).press('Enter');
    await expect(
      page.getByRole('list', { name: 'Lost writes' }).getByText(`secret/${late} version 1`),
    ).toBeVisible();
    await expectAccessible(page, 'lost writes');
    await expect(page.getByRole('link', { name: `secret/${late} version 1` })).toHaveAttribute(
      'href',
      `/local/secrets/secret/secret/${late}`,
    );
    await page.getByRole('button', { name: 'Delete lost writes' }).press('Enter');
    await expectAccessible(page, 'the question before lost writes are deleted');
    await replication.confirmByKeys('Local');
    await expect(page.getByText('This cluster has no lost writes.')).toBeVisible();
    await page.goBack();
    await failover.run('Read the lost writes', 'I have checked the lost writes');
    await failover.run('Compare every cluster', 'Compare');
    await expect(failover.finished('Production')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Plan the switch back' })).toBeVisible();
  });
});
