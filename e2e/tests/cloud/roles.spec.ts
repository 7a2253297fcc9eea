import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectRowVisible, expectToast, visit } from '../../fixtures/vocabulary.ts';
import { CloudRoleForm } from '../../pages/cloud-role-form.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

const deploy = 'arn:aws:iam::123456789012:role/deploy';
const readOnly = 'arn:aws:iam::aws:policy/ReadOnlyAccess';

const document = (...buckets: readonly string[]): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: buckets.map((bucket) => ({
      Sid: bucket,
      Effect: 'Allow',
      Action: 's3:GetObject',
      Resource: `arn:aws:s3:::${bucket}/*`,
    })),
  });

test('a role is created, found, given another type and deleted, with the consequences of each step', async ({
  signedIn: page,
  cloud,
}) => {
  await page.goto(cloud.place());
  await expect(page.getByText('No roles yet')).toBeVisible();
  await page.keyboard.press('c');
  await expect(page).toHaveURL(cloud.place('/new'));
  const form = new CloudRoleForm(page);
  // A field that only had the focus isn't refused.
  await form.choose('IAM user');
  await form.choose('Assumed role');
  await expect(form.form.locator('[aria-invalid="true"]')).toHaveCount(0);
  await form.field('Name').fill('deploy');
  await form.paste('Role ARNs', `${deploy}\n  ${readOnly}\n`);
  await expect(form.entry('Role ARNs', 2)).toHaveValue(readOnly);
  await form.field('External ID').fill('partner-7');
  await form.form.getByRole('button', { name: 'Add a key' }).click();
  await form.form.getByRole('textbox', { name: 'Key 1', exact: true }).fill('team');
  await form.form.getByRole('textbox', { name: 'Value of team', exact: true }).fill('web');
  await form.field('Default TTL').fill('2 hours');
  await form.field('Maximum TTL').fill('13h');
  await expect(form.field('Default TTL')).toHaveValue('2h');
  await expect(
    form.form.getByText('Longer than the provider allows. The maximum is 12 hours.'),
  ).toBeVisible();
  await form.field('Maximum TTL').fill('1h');
  await form.save('Create role').click();
  await expectFieldError(
    form.form,
    'Role ARNs 2',
    /^This is a policy's ARN\. Enter a role such as arn:aws:iam::/,
  );
  await form.form.getByRole('button', { name: 'Remove Role ARNs 2' }).click();
  await form.save('Create role').click();
  await expectFieldError(form.form, 'Default TTL', /can't exceed the maximum/);
  await expect(form.winner).toContainText('Role maximum');
  await form.field('Default TTL').fill('15m');
  await expect(form.winner).toContainText('Role default15 minutes');
  await expectAccessible(page, 'the form of a new role');
  await form.save('Create role').click();
  await isItYou(page).enter(password);
  await expectToast(page, 'Role deploy created');
  await expect(page).toHaveURL(cloud.place('/roles/deploy'));
  await expect(page.getByText('team=web', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a role');
  await page.setViewportSize({ width: 400, height: 800 });
  await expectFits(page, 'a role');
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await cloud.readRole('deploy')).toMatchObject({
    credential_type: 'assumed_role',
    role_arns: [deploy],
    external_id: 'partner-7',
    session_tags: { team: 'web' },
    default_sts_ttl: 900,
    max_sts_ttl: 3600,
  });

  await cloud.generate('deploy');
  // Back to the list, and from there by its row.
  await page.keyboard.press('u');
  const grid = page.getByRole('grid', { name: `Roles of ${cloud.mount}` });
  await expectRowVisible(grid, {
    Role: 'deploy',
    'Credential type': 'Assumed role',
    Grants: 'Role deploy',
    Lifetime: '15 minutes, at most 1 hour',
  });
  await page.getByRole('searchbox', { name: 'Search role names' }).fill('nothing');
  await expect(page.getByText('No role matches "nothing".')).toBeVisible();
  await expect(page).toHaveURL(/q=nothing/);
  await page.getByRole('button', { name: 'Show all roles' }).click();
  await visit(page, cloud.place('/roles/deploy/edit'));

  // Another type loses fields that only this one has, and asks first.
  await form.choose('IAM user');
  const credentials = page.getByRole('region', { name: 'Credentials', exact: true });
  await expect(credentials.getByText('Lost when you save')).toBeVisible();
  await expect(form.form.getByRole('group', { name: 'Role ARNs' })).toHaveCount(0);
  await form.entry('Policy ARNs').fill(readOnly);
  await form.save('Save role').click();
  const question = page.getByRole('alertdialog', { name: 'Change the credential type of deploy?' });
  await expect(question).toContainText(`Lost: Role ARNs ${deploy}`);
  await expect(question).toContainText('1 lease remains active');
  await question.getByRole('button', { name: 'Save role' }).click();
  await expectToast(page, 'Role deploy saved');
  expect(await cloud.readRole('deploy')).toMatchObject({
    credential_type: 'iam_user',
    role_arns: null,
    policy_arns: [readOnly],
    max_sts_ttl: 0,
  });

  // Credentials outlive their role.
  await cloud.generate('deploy');
  await page.getByRole('button', { name: 'More actions for deploy' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const deletion = page.getByRole('alertdialog', { name: 'Delete role deploy?' });
  await expect(deletion).toContainText('2 leases are not revoked');
  await deletion.getByRole('button', { name: 'Delete role' }).click();
  await expectToast(page, 'Role deploy deleted');
  await expect(page.getByText('No roles yet')).toBeVisible();
});

test('a role that others edit, and one of an earlier server', async ({
  signedIn: page,
  cloud,
  openBrowser,
}) => {
  test.slow();
  await test.step("two users' separate edits of a role's lists, tags and statements are merged", async () => {
    const role = {
      credential_type: 'iam_user',
      policy_document: document('builds', 'logs'),
      iam_groups: ['readers'],
      iam_tags: ['team=ci'],
    };
    await cloud.writeRole('ci', role);
    await page.goto(cloud.place('/roles/ci/edit'));
    const form = new CloudRoleForm(page);
    await form.form.getByRole('button', { name: 'Add a group' }).click();
    await form.entry('IAM groups', 2).fill('deployers');
    await form.field('User path').fill('/ci/');
    await cloud.writeRole('ci', {
      ...role,
      policy_document: document('builds', 'logs', 'audit'),
      iam_groups: ['readers', 'auditors'],
      iam_tags: ['team=platform'],
    });
    await form.save('Save role').click();
    await isItYou(page).enter(password);
    const conflict = new ConflictView(page);
    await expect(conflict.title).toBeVisible();
    await expect(conflict.decisions.getByRole('link')).toHaveCount(0);
    await expectAccessible(page, 'a role that was changed meanwhile');
    await form.save('Save role').click();
    await expectToast(page, 'Role ci saved');
    const stored = await cloud.readRole('ci');
    expect(stored).toMatchObject({ user_path: '/ci/', iam_tags: { team: 'platform' } });
    expect([...(stored['iam_groups'] as string[])].toSorted()).toEqual(['auditors', 'deployers', 'readers']);
    expect(JSON.parse(String(stored['policy_document']))).toEqual(
      JSON.parse(document('builds', 'logs', 'audit')),
    );
  });
  await test.step('a role with parameters of an earlier server is read-only until it is converted', async () => {
    await cloud.writeRole('old', { policy: document('builds') });
    await visit(page, cloud.place('/roles/old'));
    await expect(page.getByText('Read-only: uses parameters from an older server version')).toBeVisible();
    await expectAccessible(page, 'a legacy role');
    await page.getByRole('button', { name: 'Convert' }).click();
    await expect(page.getByRole('heading', { name: 'Convert old' })).toBeVisible();
    const form = new CloudRoleForm(page);
    await form.save('Save role').click();
    await expect(form.form.getByText('Choose a credential type.')).toBeVisible();
    await form.choose('Federation token');
    await expect(page.getByRole('region', { name: 'Effects of saving' })).toContainText(
      `${cloud.mount}/creds/old issues: Federation token. Previously: IAM user.`,
    );
    await form.save('Save role').click();
    await expectToast(page, 'Role old saved');
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible();
    expect(await cloud.readRole('old')).toMatchObject({ credential_type: 'federation_token' });

    // A user who may not read the role sees that.
    const reader = await openBrowser('read-only');
    await reader.goto(cloud.place('/roles/old'));
    await expect(reader.getByRole('heading', { name: 'Not allowed' })).toBeVisible();
  });
});
