import { archiveOf, ModuleNamespace, networkModule } from '../../fixtures/module-namespace.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, press, tabTo, visit } from '../../fixtures/vocabulary.ts';
import { ModulePage } from '../../pages/module-page.ts';
import { ModulePublishPage } from '../../pages/module-publish-page.ts';
import { ModulesPage } from '../../pages/modules-page.ts';

test('a module is published and found by keyboard', async ({ signedIn: page, stack }) => {
  test.slow();
  const namespace = await ModuleNamespace.open(stack);
  await test.step('it is published; leaving before asks', async () => {
    const publish = new ModulePublishPage(page);
    // From before the page loads, because the browser's own picker would open for a late one.
    const choosing = page.waitForEvent('filechooser');
    await publish.open();
    await tabTo(page, page.getByRole('button', { name: 'Choose an archive' }));
    await press(page, 'Enter');
    await (
      await choosing
    ).setFiles({
      name: 'terraform-random-keys.tar.gz',
      mimeType: 'application/gzip',
      buffer: archiveOf(networkModule),
    });
    await expect(publish.name).toHaveValue('keys');
    await tabTo(page, publish.namespace);
    await page.keyboard.type(namespace.name);
    await tabTo(page, publish.version);
    await expect(publish.version).toHaveValue('1.0.0');

    await page.getByRole('link', { name: 'Modules' }).first().click();
    const ask = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await ask.getByRole('button', { name: 'Keep editing' }).click();
    await expect(publish.namespace).toHaveValue(namespace.name);
    await publish.version.focus();
    await press(page, 'Enter');
    await expectToast(page, `${namespace.name}/keys/random 1.0.0 published`);
    await expect(ask).toHaveCount(0);
  });
  await test.step('it is found in the list and in the palette', async () => {
    const modules = new ModulesPage(page);
    await visit(page, '/local');
    await expect(
      page
        .getByRole('group', { name: /modules$/i })
        .getByRole('link')
        .first(),
    ).toBeVisible();
    await press(page, 'g');
    await press(page, 'm');
    await expect(modules.grid).toBeVisible();
    await press(page, '/');
    await page.keyboard.type(namespace.name);
    await expect(modules.names).toHaveText([`${namespace.name}/keys`]);
    await page.keyboard.press('Enter');
    await modules.grid.getByRole('link', { name: `${namespace.name}/keys` }).focus();
    await page.keyboard.press('Enter');
    await expect(new ModulePage(page).heading).toHaveText('keys');
    await press(page, 'u');
    await expect(modules.grid).toBeVisible();
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type(namespace.name);
    await page.getByRole('menuitem', { name: `${namespace.name}/keys/random` }).click();
    await expect(new ModulePage(page).value('Version')).toHaveText('1.0.0');
  });
});
