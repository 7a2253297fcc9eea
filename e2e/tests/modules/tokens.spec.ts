import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { isAccepted, ModuleNamespace } from '../../fixtures/module-namespace.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, press } from '../../fixtures/vocabulary.ts';
import { ModuleTokensPage } from '../../pages/module-tokens-page.ts';

test('a token is created and shown once, works, and is revoked', async ({
  stack,
  createPerson,
  openBrowser,
}) => {
  // The registry's address is known only once it has a module.
  await (await ModuleNamespace.open(stack)).publish('network/random', '1.0.0');
  const page = await openBrowser(await createPerson('operator'));
  const tokens = new ModuleTokensPage(page);
  await tokens.open();
  await expect(tokens.token('This session')).toHaveCount(1);
  await expect(tokens.token('This session').getByRole('button')).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'the tokens');

  await press(page, 'c');
  await tokens.press('Create token');
  await expectFieldError(tokens.dialog, 'Description', /It identifies the client in module downloads/);
  await tokens.description.fill('CI runner');
  await tokens.password.fill('not the password');
  await tokens.press('Create token');
  await expectFieldError(tokens.dialog, 'Password', /This password is wrong/);
  await tokens.password.fill(password);
  await press(page, 'Enter');
  await expect(tokens.dialog).toContainText('Shown once');
  await expect(tokens.dialog.getByRole('group', { name: 'Credentials' })).toContainText(
    `credentials "${new URL(stack.environments[0]?.modules.url ?? '').host}" {`,
  );
  await expect(tokens.dialog.getByRole('group', { name: 'Credentials' })).toContainText(
    '"modules.v1" = "http:',
  );
  await expectAccessible(page, 'the token, once');
  const token = await tokens.readToken();
  expect(await isAccepted(stack, token)).toBe(true);
  await tokens.press('Done');
  await expect(tokens.token('CI runner')).toContainText('Created just now');
  await expect(page.getByText(token)).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectFits(page, 'the tokens');

  await tokens.revoke('CI runner');
  await expectToast(page, 'Token revoked');
  await expect(tokens.token('CI runner')).toHaveCount(0);
  expect(await isAccepted(stack, token)).toBe(false);
});
