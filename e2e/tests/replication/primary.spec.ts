import { expectAccessible } from '../../fixtures/accessible.ts';
import { connectToCluster, expect, test } from '../../fixtures/clusters.ts';
import { password } from '../../fixtures/stack.ts';
import { expectToast, press, question, tabTo, visit } from '../../fixtures/vocabulary.ts';
import { ReplicationPage } from '../../pages/replication-page.ts';

test('a secondary finds its primary at another address, forgets it, follows it again, and replication ends', async ({
  clusters,
  signedIn: page,
}) => {
  test.setTimeout(180_000);
  await clusters.replicate('local', 'production');
  const elsewhere = await clusters.otherAddress('local');
  await connectToCluster(page.request, 'production');
  const replication = new ReplicationPage(page);
  const kinds = question(page).getByRole('radiogroup', { name: 'New primary' });
  const begin = async (): Promise<void> => {
    await tabTo(page, replication.act('Change primary'));
    await press(page, 'Enter');
    await expect(kinds).toBeVisible();
  };

  await test.step("its primary's addresses are tried, and the first that answers is kept", async () => {
    await page.goto('/production/replication');
    await begin();
    await kinds.getByRole('radio', { name: 'The same primary at another address' }).press('Space');
    const addresses = question(page).getByRole('textbox', { name: 'Cluster addresses 1' });
    await addresses.press('Enter');
    await replication.typeName('Production');
    await expect(question(page).getByText('Enter at least one address.')).toBeVisible();
    await addresses.fill(`127.0.0.1:${elsewhere.port}`);
    await expectAccessible(page, 'the addresses of a primary');
    await replication.confirm('Production', 'Change primary', password);
    await expectToast(page, /^Production has a new primary/);
    await clusters.untilFollowing('production');
    expect(elsewhere.open()).toBeGreaterThan(0);
  });

  await test.step('it forgets its primary and has no link, and a guide says what to do', async () => {
    await begin();
    await kinds.getByRole('radio', { name: 'None: forget the primary' }).press('Space');
    await replication.confirm('Production', 'Forget primary');
    await expectToast(page, /^Production has no primary/);
    await expect(replication.clusters.getByText('Secondary without a primary')).toBeVisible();
    await expectAccessible(page, 'a secondary without a primary');
    await press(page, 'i');
    await expect(page.getByText('Production is a secondary without a primary.')).toBeVisible();
    await page.goBack();
  });

  await test.step('it gets its primary again by a hidden activation, and keeps its data', async () => {
    await begin();
    await expect(kinds.getByRole('radio', { name: 'The same primary at another address' })).toBeDisabled();
    await expect(question(page).getByRole('textbox', { name: 'Identifier' })).toHaveValue('production-2');
    await expectAccessible(page, 'another primary');
    await replication.confirm('Production', 'Change primary', password);
    await clusters.untilFollowing('production');
    await replication.refreshUntilVisible(replication.clusters.getByText('Idle'));
  });

  await test.step('the disabled secondary keeps its data, and its primary shows it as disconnected', async () => {
    await tabTo(page, replication.act('Disable replication'));
    await press(page, 'Enter');
    await expect(
      question(page).getByText('The primary still lists this cluster. Revoke it there.'),
    ).toBeVisible();
    await expectAccessible(page, 'the question before a secondary is disabled');
    await replication.confirmByKeys('Production');
    await expectToast(page, /^Replication disabled on Production/);
    await visit(page, '/local/replication');
    const known = replication.secondaries.getByRole('listitem').filter({ hasText: 'production-2' });
    await expect(known.getByText(/^Disconnected/)).toBeVisible();
    await replication.act('Disable replication').press('Enter');
    await expect(question(page).getByText(/cluster ID is lost permanently/)).toBeVisible();
    await replication.confirmByKeys('Local');
    await expect(replication.clusters.getByText('Replication disabled')).toHaveCount(2);
  });
});
