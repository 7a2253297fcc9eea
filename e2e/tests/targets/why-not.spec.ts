import { expectAccessible } from '../../fixtures/accessible.ts';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError } from '../../fixtures/vocabulary.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetsPage } from '../../pages/targets-page.ts';
import { WhyNot } from '../../pages/why-not.ts';

test('a missing target is picked, and each clause of the filter is explained', async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  await createTarget({ type: 'ssh', name: 'bastion' });
  const missing = await createTarget({ name: 'database', attributes: { default_port: 5432 } });
  const targets = new TargetsPage(page);
  await targets.open(project.id);
  await targets.filterToggle.click();
  await targets.filter.fill(
    '"/item/address" matches "^10" and ("/item/type" == "ssh" or "/item/attributes/default_port" == 5433)',
  );
  await page.getByRole('search').getByRole('button', { name: 'Why is a target missing?' }).click();
  const why = new WhyNot(page);
  await why.pick('database');
  await expect(why.verdict).toContainText('database is missing: filter expression');
  await expect(page).toHaveURL(new RegExp(`why=${missing.id}`));
  await expect(why.reason('Scope')).toContainText('Holds');
  await expect(why.clause('"/item/address" matches')).toContainText('Holdssaw "10.0.0.1"');
  await expect(why.clause('"/item/type" == "ssh"')).toContainText('Doesn\'t holdsaw "tcp"');
  await expect(why.clause('default_port" == 5433')).toContainText("Doesn't holdsaw 5432");
  await expectAccessible(page, 'why not');
  // The same target, if the list has it.
  await why.pick('bastion');
  await expect(why.verdict).toContainText('bastion is in the list');
  await page.keyboard.press('Escape');
  await expect(targets.names).toHaveText(['bastion']);
  await expect(page).not.toHaveURL(/why=/);
  // Search words hide it too.
  await page.goto(`/local/targets?scope=${project.id}&q=bastion&why=${missing.id}`);
  await expect(why.verdict).toContainText('database is missing: search words');
  await expect(why.verdict).toContainText('The unmet conditions are marked below.');
});

test("the explanation matches the controller's decision", async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  const target = await createTarget({
    type: 'ssh',
    name: 'bastion',
    egress_worker_filter: '"a" in "/tags/b"',
  });
  const filters = [
    '"/item/version" == 1 and "/item/scope/id" == `' + project.id + '`',
    'not "/item/attributes/enable_session_recording" == false',
    '"/item/attributes/storage_bucket_id" is empty and "/item/host_sources" is empty',
    'any "/item/authorized_actions" as action { action == delete }',
    '"/item/attributes/default_client_port" is nil or "/item/name" == x',
    '"/item/session_max_seconds" matches "8"',
    'not "/item/none/deeper" == x',
    'all "/item/scope" as key, value { value is not nil }',
  ];
  const why = new WhyNot(page);
  for (const filter of filters) {
    const query = new URLSearchParams({ scope_id: project.id, filter });
    const answer = await page
      .context()
      .request.get(`/api/environments/local/access/targets?${query.toString()}`, { headers: consoleHeaders });
    const { items } = (await answer.json()) as { items: readonly unknown[] };
    await why.open(project.id, filter, target.id);
    await expect(why.verdict, filter).toContainText(
      items.length === 1 ? 'bastion is in the list' : 'bastion is missing: filter expression',
    );
    await expect(why.verdict).not.toContainText('Refresh the list');
  }
});

test('a worker filter shows the matching workers while it is typed, and the target shows why', async ({
  createPerson,
  openBrowser,
  createTarget,
}) => {
  const target = await createTarget();
  const page = await openBrowser(await createPerson('administrator'));
  const form = new TargetForm(page);
  await form.open(target.id);
  const filter = form.field('Egress worker filter');
  const matches = page.getByRole('region', { name: 'Workers that match Egress worker filter' });
  await filter.fill('"prod" in "/tags/env" an');
  await form.name.click();
  await expectFieldError(form.form, 'Egress worker filter', /^"a" is unexpected/);
  await filter.fill('"prod" in "/tags/env" and "/name" matches "^w-eu"');
  for (const [name, tags] of [
    ['w-eu', 'env = prod, live'],
    ['w-us', 'env = prod'],
  ] as const) {
    await matches.getByRole('button', { name: 'Add a worker' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a worker' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('textbox', { name: 'Tags' }).fill(tags);
    await dialog.getByRole('button', { name: 'Add worker' }).click();
  }
  await expect(matches.getByRole('status')).toContainText('1 of 2 workers match');
  await expectAccessible(page, 'workers that match');
  await filter.fill('"prod" in "/tags/env"');
  await expect(matches.getByRole('status')).toContainText('2 of 2 workers match');
  await filter.fill('"live" in "/tags/env"');
  await form.save.click();
  await expect(page).toHaveURL(/\/targets\/[^/]+$/);
  const kept = page.getByRole('region', { name: 'Workers that match Egress filter' });
  await kept.getByRole('button', { name: 'w-us does not match' }).click();
  await expect(kept.getByRole('list', { name: 'Why w-us does not match' })).toContainText('saw ["prod"]');
  // Remembered for this user, in all browsers.
  await page.reload();
  await expect(kept.getByRole('status')).toContainText('1 of 2 workers match');
  await expectAccessible(page, 'workers of a target');
});
