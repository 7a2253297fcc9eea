import { signInToSecrets } from '@gatehouse/stack/secrets-client';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, press, question } from '../../fixtures/vocabulary.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

test('the first engine is mounted, configured, given lease settings and unmounted', async ({
  signedIn: page,
  stack,
  cloud,
}) => {
  const production = stack.environments.find(({ id }) => id === 'production');
  const admin = await signInToSecrets(production?.secrets.url ?? '', loginNames.administrator, password);
  await admin.remove('sys/mounts/cloud');
  await signInThroughApi(page.context().request, loginNames.administrator, password, 'production');
  await page.goto('/production/cloud');
  await expect(page.getByText('No engine is mounted')).toBeVisible();
  await expectAccessible(page, 'no engine');
  await page.getByRole('button', { name: 'Mount the engine' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mount a cloud credentials engine' });
  const mount = dialog.getByRole('textbox', { name: 'Mount path' });
  await expect(mount).toBeFocused();
  await mount.fill('secret');
  await press(page, 'Enter');
  await expectFieldError(dialog, 'Mount path', /mounted at this path/);
  await expectAccessible(page, 'mounting an engine');
  await mount.fill('cloud/');
  await press(page, 'Enter');
  await expectToast(page, 'Engine cloud mounted');

  // Its root credentials are next: both keys, or none.
  await page.getByRole('button', { name: 'Add to favorites' }).click();
  const root = new RecordForm(page, 'root credentials');
  const { access_key, secret_key, iam_endpoint, sts_endpoint } = cloud.rootFields;
  await root.field('Access key').fill(access_key);
  await root.field('IAM endpoint').fill(iam_endpoint);
  await root.field('STS endpoint').fill(sts_endpoint);
  await root.save('Save root credentials').click();
  await expectFieldError(root.form, 'Secret key', /Enter the secret key/);
  await root.field('Secret key').fill(secret_key);
  await expectAccessible(page, 'root credentials');
  await page.setViewportSize({ width: 400, height: 800 });
  await expectFits(page, 'root credentials');
  await page.setViewportSize({ width: 1440, height: 900 });
  await root.save('Save root credentials').click();
  await expectToast(page, 'Root credentials of cloud saved');
  await expect(page).toHaveURL('/production/cloud/cloud');
  await expect(page.getByText('No roles yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add to favorites' }).click();
  await page.goto('/production');
  const favorites = page.getByRole('group', { name: 'Favorites' });
  await expect(favorites.getByRole('link')).toHaveText(['cloud', 'Root credentials of cloud']);
  await favorites.getByRole('link', { name: 'cloud', exact: true }).click();
  await expect(page.getByText('No root credentials are configured')).toHaveCount(0);

  await page.getByRole('button', { name: 'Engine settings' }).click();
  await page.getByRole('menuitem', { name: 'Lease settings' }).click();
  const lease = new RecordForm(page, 'lease settings');
  await lease.field('Lease').fill('2h');
  await lease.field('Maximum lease').fill('1h');
  await lease.save('Save lease settings').click();
  await expectFieldError(lease.form, 'Maximum lease', /can't be shorter than the lease/);
  await lease.field('Maximum lease').fill('12h');
  await expectAccessible(page, 'lease settings');
  await lease.save('Save lease settings').click();
  await expectToast(page, 'Lease settings of cloud saved');
  expect(await admin.read('cloud/config/lease')).toMatchObject({ lease: '2h0m0s', lease_max: '12h0m0s' });

  // It is unmounted again, with all that.
  await page.goto('/production/cloud/cloud');
  await page.getByRole('button', { name: 'Engine settings' }).click();
  await page.getByRole('menuitem', { name: 'Unmount engine' }).click();
  const asked = question(page);
  await expect(asked).toContainText('Its roles and root credentials are deleted.');
  await expectAccessible(page, 'unmounting an engine');
  await asked.getByRole('textbox').fill('cloud');
  await asked.getByRole('button', { name: 'Unmount engine' }).click();
  await isItYou(page).enter(password);
  await expectToast(page, 'Engine cloud unmounted');
  await expect(page.getByText('No engine is mounted')).toBeVisible();
});

test('root credentials are rotated from the palette, and overwritten after their mount was typed', async ({
  signedIn: page,
  cloud,
}) => {
  const { access_key: before } = cloud.rootFields;
  await page.goto('/local/targets');
  await expect(page.getByRole('heading', { name: 'Targets' })).toBeVisible();
  await press(page, 'Control+k');
  await page.getByRole('searchbox', { name: /^Search actions, places/ }).fill(`rotate root ${cloud.mount}`);
  await page.getByRole('menuitem', { name: /^Rotate root credentials/ }).click();
  await expect(page.getByRole('heading', { name: 'Root credentials' })).toBeVisible();
  const root = new RecordForm(page, 'root credentials');
  await root.field('Region').fill('eu-west-1');
  await page.getByRole('button', { name: 'Rotate' }).click();
  const question = page.getByRole('alertdialog', { name: /^Rotate the root credentials/ });
  await expect(question).toContainText(`${before} is deleted at the provider`);
  await expectAccessible(page, 'rotating root credentials');
  await question.getByRole('button', { name: 'Rotate root credentials' }).click();
  const done = page.getByRole('dialog', { name: 'Root credentials rotated' });
  await expect(done).toContainText(before);
  const keys = cloud.provider.dump()['gatehouse']?.keys ?? [];
  expect(keys).toHaveLength(1);
  expect(keys).not.toContain(before);
  await expect(done).toContainText(keys[0] ?? 'a key');
  await done.getByRole('button', { name: 'Done' }).click();

  // The form has the key that it rotated itself. Earlier edits stay.
  await expect(root.field('Access key')).toHaveValue(keys[0] ?? 'a key');
  await expect(root.field('Region')).toHaveValue('eu-west-1');
  await expect(page.getByText('changed while you were editing')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Current source' })).toContainText('by First administrator');
  await root.field('Secret key').fill('canary-another-secret-key');
  await root.save('Save root credentials').click();
  const overwrite = page.getByRole('alertdialog', { name: /^Overwrite the root credentials/ });
  await overwrite.getByRole('textbox', { name: `Type ${cloud.mount} to confirm` }).fill(cloud.mount);
  await overwrite.getByRole('button', { name: 'Overwrite root credentials' }).click();
  await expectToast(page, `Root credentials of ${cloud.mount} saved`);
});
