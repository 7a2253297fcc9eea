import fs from 'node:fs/promises';
import path from 'node:path';
import { boxesClient } from '@gatehouse/stack/boxes-client';
import { nextTotp, totp } from '../../fixtures/authenticator.ts';
import { password } from '../../fixtures/stack.ts';
import type { TestStack } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { BoxAccountPage } from '../../pages/box-account-page.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';

/** A token of the registry. */
const tokenForm = /^\w{14}\.atlasv1\.\w{48}$/;

function registryOf({ environments: [environment] }: TestStack): string {
  if (environment === undefined) throw new Error('the stack has no environment');
  return environment.boxes.url;
}

/** The last code sent to a user's phone. */
async function sentCode({ dataDir }: TestStack, username: string): Promise<string> {
  const log = await fs.readFile(path.join(dataDir, 'local', 'box-registry-codes.log'), 'utf8');
  const sent = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { username: string; phone: string; code: string })
    .findLast((message) => message.username === username);
  if (sent === undefined) throw new Error(`no code was sent to ${username}`);
  return sent.code;
}

test('users manage their own tokens and second factor at the registry', async ({
  stack,
  createPerson,
  openBrowser,
  canaries,
}) => {
  test.slow();
  canaries.expectBoxTokens();
  const person = await createPerson('operator');
  const page = await openBrowser(person);
  const account = new BoxAccountPage(page);
  await test.step('a token is created and shown once, checked, and deleted', async () => {
    const boxes = new BoxesPage(page);
    await boxes.open();
    await boxes.choose('Tokens and second factor');
    await expect(account.token('This session')).toHaveCount(1);
    await expect(account.token('This session').getByRole('button', { name: /^Delete/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await account.newToken.click();
    await account.dialog.getByRole('textbox', { name: 'Description' }).fill('CI runner');
    await account.password.fill('not the password');
    await account.press('Create token');
    await expect(account.password).toHaveAccessibleDescription(/This password is wrong\./);
    await account.password.fill(password);
    await account.press('Create token');
    await expect(account.dialog).toContainText('Shown once');
    const token = await account.readSecret('Token', tokenForm);
    await account.press('Done');
    await expect(account.token('CI runner')).toContainText('Created just now');
    const registry = boxesClient(registryOf(stack), token);
    expect(await registry.read('/api/v1/authenticate')).toMatchObject({
      user: { username: person.loginName },
    });
    await expect(page.getByText(token)).toHaveCount(0);

    await account.checkToken.click();
    const field = account.dialog.getByLabel('Token', { exact: true });
    await field.fill('nonsense');
    await account.press('Check');
    await expect(account.dialog).toContainText("The registry doesn't accept this token");
    await field.fill(token);
    await account.press('Check');
    await expect(account.dialog).toContainText(`It belongs to ${person.loginName}.`);
    await account.press('Delete this token');
    await page
      .getByRole('alertdialog', { name: 'Delete this token?' })
      .getByRole('button', { name: 'Delete token' })
      .click();
    await expectToast(page, 'Token deleted');
    await expect(account.token('CI runner')).toHaveCount(0);
    await expect(registry.read('/api/v1/authenticate')).rejects.toThrow('returned 401');

    // A listed token can be deleted without knowing it.
    const second = await boxesClient(registryOf(stack), undefined).post('/api/v1/authenticate', {
      user: { login: person.loginName, password },
      token: { description: 'of a laptop' },
    });
    await page.reload();
    await account.token('of a laptop').getByRole('button', { name: 'Delete token of a laptop' }).click();
    await page
      .getByRole('alertdialog', { name: /^Delete token/ })
      .getByRole('button', { name: 'Delete token' })
      .click();
    await expectToast(page, 'Token deleted');
    await expect(account.token('of a laptop')).toHaveCount(0);
    await expect(registry.as(String(second['token'])).read('/api/v1/authenticate')).rejects.toThrow('401');
  });
  await test.step('a second factor is set up, required at sign-in, sent by SMS, and removed', async () => {
    await account.twoFactor.getByRole('button', { name: 'Set up' }).click();
    await account.password.fill(password);
    await account.dialog.getByRole('textbox', { name: 'Phone number' }).fill('0155 512 34567');
    await account.press('Continue');
    await expect(account.dialog.getByRole('textbox', { name: 'Phone number' })).toHaveAccessibleDescription(
      /such as \+15551234567/,
    );
    await account.dialog.getByRole('textbox', { name: 'Phone number' }).fill('+1 555 123 4567');
    await account.press('Continue');
    await expect(account.dialog.getByRole('img', { name: /authenticator/ })).toBeVisible();
    const secret = await account.readSecret('Key', /^[A-Z2-7]{32}$/);
    await account.code.fill('000000');
    await account.press('Confirm');
    await expect(account.code).toHaveAccessibleDescription(/wrong or was already used|not right/);
    await account.code.fill(totp(secret, Date.now()));
    await account.press('Confirm');
    await expectToast(page, 'The second factor is on');
    await expect(account.twoFactor).toContainText('SMS number ending in 4567');

    // Elsewhere the password alone signs in to all services but this one.
    const other = await openBrowser(person);
    const boxes = new BoxesPage(other);
    await boxes.open();
    const connect = other.getByRole('region', { name: 'Not connected to the box registry' });
    await connect.getByLabel('Password', { exact: true }).fill(password);
    await connect.getByRole('button', { name: 'Connect' }).click();
    const code = connect.getByRole('textbox', { name: 'Code' });
    await expect(code).toBeFocused();
    await code.fill('123456');
    await connect.getByRole('button', { name: 'Connect' }).click();
    await expect(code).toHaveAccessibleDescription(/This code is wrong or was already used/);
    await code.fill(nextTotp(secret, Date.now()));
    await connect.getByRole('button', { name: 'Connect' }).click();
    await expect(boxes.publish).toBeVisible();
    await expect(other.getByRole('heading', { level: 1, name: 'Boxes' })).toBeVisible();
    await expect(connect).toHaveCount(0);

    // The authenticator has no unused code for the next half minute.
    await account.newToken.click();
    await account.password.fill(password);
    await account.press('Create token');
    await expect(account.code).toBeVisible();
    await account.sendCode.click();
    await expect(account.code).toHaveAccessibleDescription(/Sent to SMS number ending in 4567/);
    await account.code.fill(await sentCode(stack, person.loginName));
    await account.press('Create token');
    await expect(account.dialog).toContainText('Shown once');
    const registry = boxesClient(registryOf(stack), await account.readSecret('Token', tokenForm));
    await account.press('Done');
    const factor = () => registry.read('/api/v1/two-factor');
    expect(await factor()).toMatchObject({ two_factor: { enabled: true } });

    await account.twoFactor.getByRole('button', { name: 'Remove' }).click();
    await account.password.fill(password);
    await account.code.fill('000000');
    await account.press('Remove');
    await expect(account.code).toHaveAccessibleDescription(/The password or the code is wrong/);
    await account.sendCode.click();
    await expect(account.code).toHaveAccessibleDescription(/Sent to/);
    await account.code.fill(await sentCode(stack, person.loginName));
    await account.press('Remove');
    await expectToast(page, 'The second factor is off');
    expect(await factor()).toMatchObject({ two_factor: { enabled: false } });
  });
});
