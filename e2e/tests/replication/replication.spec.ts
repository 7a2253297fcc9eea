import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { connectToCluster, expect, test } from '../../fixtures/clusters.ts';
import { password } from '../../fixtures/stack.ts';
import { expectAskedAgain, expectToast, press, question, visit } from '../../fixtures/vocabulary.ts';
import { FailoverPage, ReplicationPage } from '../../pages/replication-page.ts';

test('a primary gets a secondary, they are compared, and a filter excludes a mount', async ({
  signedIn: page,
}) => {
  test.setTimeout(180_000);
  page.setDefaultTimeout(12_000);
  await page.clock.install();
  const replication = new ReplicationPage(page);

  await test.step('a cluster becomes a primary after its name was typed, and other actions say why they are unavailable', async () => {
    await page.goto('/local/connections');
    await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
    await press(page, 'g', 'e');
    await expect(replication.clusters.getByText('Replication disabled')).toHaveCount(2);
    await expect(replication.act('Demote this cluster')).toHaveCount(0);
    await replication.unfold();
    await expect(replication.notNow.getByRole('button', { name: 'Demote this cluster' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expect(replication.notNow.getByText('Only a primary has secondaries.').last()).toBeVisible();
    await expectAccessible(page, 'replication that is disabled');
    await replication.act('Enable as primary').press('Enter');
    await expectAccessible(page, 'the question before a primary');
    await question(page).getByRole('button', { name: 'Enable as primary' }).click();
    await expect(page.getByText("This doesn't match. Type Local exactly.")).toBeVisible();
    await replication.confirm('Local', 'Enable as primary');
    await expectToast(page, /^Local is a primary/);
    await expect(replication.transitions.getByText('primary/enable').first()).toBeVisible();
    await expectAccessible(page, 'a primary');
  });

  await test.step('a secondary is added across two environments, with filter, deleted data, name and progress', async () => {
    await replication.act('Add a secondary').click();
    const added = page.getByRole('radiogroup', { name: 'New secondary' });
    await added.getByRole('radio', { name: 'Production' }).check();
    await expect(page.getByRole('textbox', { name: 'Identifier' })).toHaveValue('production');
    await expectAccessible(page, 'the clusters of a new secondary');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('group', { name: 'Filter', exact: true })).toBeFocused();
    await page.getByRole('radio', { name: 'All but these' }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Choose at least one path, or replicate everything.')).toBeVisible();
    await page.getByRole('checkbox', { name: /^secret/ }).check();
    await expect(
      page.getByRole('list', { name: 'Not received', exact: true }).getByText('secret', { exact: true }),
    ).toBeVisible();
    await expectAccessible(page, 'the filter of a new secondary');
    await page.getByRole('radio', { name: 'Everything' }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: /^Connect to the secrets server of Production/ }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const deleted = page.getByRole('list', { name: 'On Production now' });
    await expectAskedAgain(page, () =>
      expect(deleted.getByText('secret', { exact: true })).toBeVisible({ timeout: 250 }),
    );
    await expectAccessible(page, 'what is deleted on a new secondary');
    await page.getByRole('button', { name: 'Delete everything on Production and add it' }).click();
    await replication.confirm('Production', 'Delete everything and add it', password);
    const isDone = page.getByText('Production is up to date');
    await expectAskedAgain(page, () => expect(isDone).toBeVisible({ timeout: 250 }));
    await expectAccessible(page, 'the progress of a new secondary');
    // It signed everybody out. The accounts are those of its primary.
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const asksAgain = page.getByText('Connect to Production again');
    await expectAskedAgain(page, () => expect(asksAgain).toBeHidden({ timeout: 250 }));
  });

  await test.step('they are drawn with their link, a canary arrives, and their digests are equal', async () => {
    // A heartbeat's age doesn't depend on the browser's clock.
    await page.clock.fastForward(30_000);
    await page.getByRole('link', { name: 'Show replication' }).click();
    await replication.refreshUntilVisible(replication.clusters.getByText('Idle'));
    await expect(replication.clusters.getByText(/^0 entries behind · heartbeat/)).toBeVisible();
    await expect(replication.secondaries.getByText('Idle')).toBeVisible();
    await replication.act('Write a canary').click();
    await replication.refreshUntilVisible(
      page.getByText('Production has received the canary, so the link works.'),
    );
    await expectAccessible(page, 'a primary with a secondary');
    await page.setViewportSize({ width: 400, height: 860 });
    await expectFits(page, 'the clusters');
    await page.setViewportSize({ width: 1440, height: 900 });
    await replication.secondaries.getByRole('button', { name: 'Actions for production' }).click();
    await page.getByRole('menuitem', { name: 'Compare with this cluster' }).click();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await expect(page.getByText('Equal', { exact: true })).toBeVisible();
    await expectAccessible(page, 'two clusters that are compared');
  });

  await test.step('screens of a secondary say that changes are made at its primary, and confirmations name replicas', async () => {
    await page.goto('/production/secrets');
    await expect(page.getByText('Changes here are made in Local and all its replicas')).toBeVisible();
    await expectAccessible(page, 'the secrets of a secondary');
    await visit(page, '/local/secrets/secret/settings');
    await page.getByRole('button', { name: 'Unmount', exact: true }).click();
    await expect(question(page)).toContainText('The same is done in Production, unless the engine is local');
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText(/^Changes here are made in/)).toBeHidden();
  });

  await test.step('the filter editor shows what would be lost before it is saved, and nothing after the filter is deleted', async () => {
    await visit(page, '/local/replication/filters/production');
    await expect(page.getByRole('radio', { name: 'Everything' })).toBeChecked();
    await expect(page.getByRole('checkbox', { name: /^secret/ })).toBeHidden();
    await page.getByRole('radio', { name: 'All but these' }).check();
    await page.getByRole('checkbox', { name: /^secret/ }).check();
    await expect(
      page.getByRole('list', { name: 'Deleted from the secondary' }).getByText('secret', { exact: true }),
    ).toBeVisible();
    await expectAccessible(page, 'the editor of a filter');
    await page.getByRole('button', { name: 'Save paths filter' }).click();
    await expect(
      question(page).getByText('1 path and everything below it are deleted from production: secret.'),
    ).toBeVisible();
    await replication.confirm('production', 'Save paths filter', password);
    await replication.refreshUntilVisible(replication.clusters.getByText(/ · filtered$/));
    await visit(page, '/local/replication/failover');
    const failover = new FailoverPage(page);
    await expect(failover.next).toContainText(
      'Production has a paths filter: it lacks mounts that the primary has.',
    );
    await visit(page, '/local/replication/filters/production');
    await page.getByRole('radio', { name: 'Everything' }).check();
    await expect(
      page.getByRole('list', { name: 'Newly received' }).getByText('secret', { exact: true }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Save paths filter' }).click();
    await replication.confirm('production', 'Delete paths filter');
    await replication.refreshUntilVisible(replication.clusters.getByText('Idle'));
  });
});

test('the planner changes roles, and a revoked secondary is refused', async ({
  clusters,
  signedIn: page,
  canaries,
}) => {
  test.setTimeout(180_000);
  await clusters.replicate('local', 'production');
  await connectToCluster(page.request, 'production');
  const replication = new ReplicationPage(page);

  await test.step('the planner changes roles, verifies each step, and prints a runbook', async () => {
    await page.goto('/local/replication');
    await replication.refreshUntilVisible(replication.clusters.getByText('Idle'));
    await press(page, 'f');
    const failover = new FailoverPage(page);
    await expect(failover.next).toContainText('Demote Local');
    await expectAccessible(page, 'the failover planner');
    await page.setViewportSize({ width: 400, height: 860 });
    await expectFits(page, 'the failover planner');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ media: 'print' });
    await expect(
      page.getByRole('heading', { name: 'Planned role change: Local to Production' }),
    ).toBeVisible();
    await expect(
      page.getByText('vault write -f sys/replication/performance/secondary/promote'),
    ).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });

    await failover.run('Demote Local');
    await failover.confirm('Local', 'Demote Local', password);
    await failover.run('Verify that Production has the last entry of Local', 'Compare');
    await expect(failover.next).toContainText('Promote Production');
    // A user who leaves finds the plan in the same state.
    await page.reload();
    await failover.run('Verify that Production has the last entry of Local', 'Compare');
    await failover.run('Promote Production');
    await failover.confirm('Production', 'Promote cluster', password);
    await failover.run('Point Local at Production');
    await failover.confirm('Local', 'Point Local at Production');
    await failover.run('Compare every cluster', 'Compare');
    await expect(failover.finished('Production')).toBeVisible();
  });

  await test.step('an activation token is shown once, guides name the requirements, and a revoked secondary is refused', async () => {
    await visit(page, '/production/replication');
    await replication.act('Create an activation token').click();
    await page.getByRole('textbox', { name: 'Identifier' }).fill('elsewhere');
    await expectAccessible(page, 'the form of an activation token');
    await page.getByRole('button', { name: 'Create token' }).click();
    const shown = replication.tokenShown;
    await expect(shown.getByText('Shown once')).toBeVisible();
    await expectAccessible(page, 'an activation token');
    await shown.getByRole('button', { name: 'Reveal token' }).click();
    canaries.add(await shown.getByText(/^eyJ/).innerText());
    await shown.getByRole('button', { name: 'Done' }).click();

    await replication.secondaries.getByRole('button', { name: 'Actions for local' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await replication.confirm('local', 'Revoke secondary');
    await expect(page.getByText('Refused').first()).toBeVisible();
    await press(page, 'i');
    await expect(page.getByText('Local is refused by its primary.')).toBeVisible();
    await expectAccessible(page, 'the recovery guides');
  });
});
