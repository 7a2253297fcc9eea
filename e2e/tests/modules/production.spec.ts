import { archiveOf, ModuleNamespace, networkModule } from '../../fixtures/module-namespace.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, visit } from '../../fixtures/vocabulary.ts';
import { ModuleMenu } from '../../pages/module-menu.ts';
import { ModulePublishPage } from '../../pages/module-publish-page.ts';
import { ModuleTokensPage } from '../../pages/module-tokens-page.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

test('names, numbers and the password are required in production', async ({ stack, signedIn: page }) => {
  test.slow();
  await signInThroughApi(page.context().request, loginNames.administrator, password, 'production');
  const namespace = await ModuleNamespace.open(stack, 'production');
  await namespace.publish('network/random', '1.0.0');
  await test.step('publishing asks for the number', async () => {
    const publish = new ModulePublishPage(page);
    await publish.open(`?namespace=${namespace.name}&name=network&provider=random`, 'production');
    await publish.archive.setInputFiles({
      name: 'network.tar.gz',
      mimeType: 'application/gzip',
      buffer: archiveOf(networkModule),
    });
    await expect(publish.version).toHaveValue('1.0.1');
    await publish.publish.click();
    const ask = page.getByRole('alertdialog', { name: `Publish ${namespace.name}/network/random 1.0.1?` });
    await ask.getByRole('textbox', { name: 'Type 1.0.1 to confirm' }).fill('1.0.1');
    await ask.getByRole('button', { name: 'Publish version' }).click();
    await expectToast(page, `${namespace.name}/network/random 1.0.1 published`);
  });
  await test.step('deleting a version asks for its number and the password', async () => {
    const menu = new ModuleMenu(page);
    await visit(page, namespace.place('network/random', '1.0.0'));
    await menu.choose('Delete');
    await menu.confirm('Delete version', '1.0.0');
    await isItYou(page).enter(password);
    await expectToast(page, 'network 1.0.0 deleted');
    expect(await namespace.read('network/random/1.0.0')).toBeUndefined();
  });
  await test.step('revoking a token asks for its name and the password', async () => {
    // Another session, which hasn't entered the password again.
    await signInThroughApi(page.context().request, loginNames.administrator, password, 'production');
    const tokens = new ModuleTokensPage(page);
    await tokens.open('production');
    await tokens.newToken.click();
    await tokens.description.fill('Laptop');
    await tokens.password.fill(password);
    await tokens.press('Create token');
    await tokens.press('Done');
    await page.getByRole('button', { name: 'Revoke token Laptop' }).click();
    const ask = page.getByRole('alertdialog', { name: 'Revoke token "Laptop"?' });
    await ask.getByRole('textbox', { name: 'Type Laptop to confirm' }).fill('Laptop');
    await ask.getByRole('button', { name: 'Revoke token' }).click();
    await isItYou(page).enter(password);
    await expectToast(page, 'Token revoked');
    await expect(tokens.token('Laptop')).toHaveCount(0);
  });
});
