import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectToast, visit } from '../../fixtures/vocabulary.ts';

const policyDocument = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
});
const roles = ['arn:aws:iam::123456789012:role/deploy', 'arn:aws:iam::123456789012:role/other'];

test('credentials are shown once, and their leases renewed and revoked', async ({
  signedIn: page,
  cloud,
}) => {
  test.slow();
  await test.step('credentials are shown once, masked, copied for a shell, and stored nowhere', async () => {
    await cloud.writeRole('deploy', { credential_type: 'assumed_role', role_arns: roles, max_sts_ttl: '2h' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(cloud.place('/roles/deploy?tab=credentials'));
    const generate = page.getByRole('button', { name: 'Generate credentials' });
    await generate.click();
    await expect(page.getByRole('radiogroup', { name: 'Role to assume' })).toHaveAccessibleDescription(
      /This cloud role allows several/,
    );
    await page.getByText('role/deploy').click();
    await page.getByRole('textbox', { name: 'Session name' }).fill('Ann Möller/ci');
    await expect(page.getByText('Sent as')).toHaveText('Sent as Ann-M-ller-ci.');
    const ttl = page.getByRole('textbox', { name: 'Lifetime' });
    await expect(ttl).toHaveAccessibleDescription(/At most 2 hours, the limit of the role/);
    await ttl.fill('9 hours');
    await ttl.blur();
    await expect(ttl).toHaveValue('9h');
    await expectAccessible(page, 'what credentials are asked for');
    const answered = page.waitForResponse((response) => response.url().endsWith('/credentials'));
    await generate.click();
    const issued = (await (await answered).json()) as {
      readonly secret_key: string;
      readonly security_token: string;
    };

    await expect(page.getByText('Ann-M-ller-ci', { exact: false })).toBeVisible();
    await expect(page.getByText('(in 2 hours)').or(page.getByText('(in 1 hour 59 minutes)'))).toBeVisible();
    await expectAccessible(page, 'new credentials');
    const secrets = [issued.secret_key, issued.security_token];
    const heldBy = async (): Promise<readonly string[]> => {
      const storage = await page.evaluate(() =>
        JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), location.href]),
      );
      const held = `${storage}${await page.content()}`;
      return secrets.filter((secret) => held.includes(secret));
    };
    expect(await heldBy()).toEqual([]);
    await page.getByRole('button', { name: 'Copy shell' }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain(`AWS_SECRET_ACCESS_KEY=${issued.secret_key}`);
    expect(await copied()).toContain('AWS_REGION=eu-central-1');
    await page.getByRole('radio', { name: 'Profile' }).click();
    await page.getByRole('button', { name: 'Reveal the secrets' }).click();
    await expect(page.getByRole('group', { name: '~/.aws/credentials' })).toContainText(
      `[${cloud.mount}-deploy]\naws_access_key_id = `,
    );
    await expect.poll(heldBy).toEqual(secrets);

    await page.getByRole('tab', { name: 'Permissions' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without the credentials?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(question).toHaveCount(0);
    await expect(page.getByText('Shown once')).toBeVisible();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    const revoke = page.getByRole('alertdialog', { name: /^Revoke the lease/ });
    await expect(revoke).toContainText('stay valid until they expire');
    await revoke.getByRole('button', { name: 'Revoke lease' }).click();
    await expect(generate).toBeVisible();
    expect(await heldBy()).toEqual([]);
    await page.getByRole('tab', { name: 'Leases' }).click();
    await expect(page.getByText('No leases', { exact: true })).toBeVisible();
  });
  await test.step('leases are renewed and revoked, also all at once, and failures are named', async () => {
    await cloud.writeRole('ci', { credential_type: 'iam_user', policy_document: policyDocument });
    const issued = [await cloud.generate('ci'), await cloud.generate('ci'), await cloud.generate('ci')];
    expect(issued).toHaveLength(3);
    const users = () => Object.keys(cloud.provider.dump()).filter((name) => name !== 'gatehouse');
    expect(users()).toHaveLength(3);
    await visit(page, cloud.place('/roles/ci?tab=leases'));
    const grid = page.getByRole('grid', { name: 'Leases of ci' });
    const leases = grid.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await expect(leases).toHaveCount(3);
    await expectAccessible(page, 'leases');
    const [first = ''] = await leases.getByRole('rowheader').allTextContents();
    await clickRowAction(page, `${cloud.mount}/creds/ci/${first}`, 'Renew');
    await expectToast(page, 'Lease renewed');

    cloud.provider.inject = ({ action }) =>
      action === 'DeleteUser' && users().length === 2
        ? { effect: 'before', answer: { status: 403, code: 'AccessDenied' } }
        : undefined;
    for (const lease of [0, 1]) await leases.nth(lease).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Revoke 2 leases' }).click();
    const question = page.getByRole('alertdialog', { name: /^Revoke/ });
    await question.getByRole('textbox').fill('revoke 2');
    await question.getByRole('button', { name: 'Revoke 2 leases' }).click();
    await expect(question).toContainText(
      /Not revoked: \w+: The issued credentials haven't been deleted at the provider yet/,
    );
    await expect(question).toHaveAccessibleName(/^Revoke the lease \w+\?$/);
    expect(users()).toHaveLength(2);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(leases).toHaveCount(1);
    cloud.provider.inject = undefined;
    await page.getByRole('button', { name: 'Revoke all' }).click();
    await question.getByRole('textbox').fill('ci');
    await question.getByRole('button', { name: 'Revoke all leases' }).click();
    await expectToast(page, 'All leases of ci revoked');
    await expect(page.getByText('No leases', { exact: true })).toBeVisible();
    expect(users().length).toBeLessThan(2);

    await page.route('**/leases', (route) => route.fulfill({ json: { items: null, total: 0 } }));
    await page.getByRole('button', { name: 'Refresh the leases' }).click();
    await expect(page.getByRole('heading', { name: "You aren't allowed to list the leases" })).toBeVisible();
    await expectAccessible(page, 'leases that may not be listed');
  });
});
