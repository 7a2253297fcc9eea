import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { ModuleNamespace } from '../../fixtures/module-namespace.ts';
import { expectRecovered } from '../../fixtures/recovered.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectRowVisible, press, visit } from '../../fixtures/vocabulary.ts';
import { ModulesPage } from '../../pages/modules-page.ts';

test('the list of modules keeps its address, is accessible, and reports an unavailable registry', async ({
  signedIn: page,
  stack,
}) => {
  test.slow();
  const modules = new ModulesPage(page);
  await test.step('words, namespace, provider, state and page are in the address, and a reload keeps them', async () => {
    const namespace = await ModuleNamespace.open(stack);
    for (let number = 1; number <= 51; number += 1)
      await namespace.publish(`m${String(number).padStart(2, '0')}/random`, '1.0.0');
    await namespace.publish('network/null', '1.0.0');
    await namespace.publish('network/null', '1.1.0');
    await namespace.publish('old/null', '1.0.0');
    await namespace.deprecate('old/null', '1.0.0', { state: 'deprecated', message: 'Use network.' });
    await modules.open();
    await modules.filters.click();
    await modules.narrow('Namespace', namespace.name);
    await expect(modules.grid).toHaveAttribute('aria-rowcount', '51');
    await expect(page).toHaveURL(new RegExp(`\\?namespace=${namespace.name}$`));
    await page.keyboard.press('Escape');
    await modules.next.click();
    await expect(page).toHaveURL(/page=2$/);
    await expectRowVisible(modules.grid, {
      Module: `${namespace.name}/network`,
      Provider: 'null',
      Version: '1.1.0',
      Downloads: '0',
    });
    await page.reload();
    await expect(modules.names).toHaveText([
      `${namespace.name}/m51`,
      `${namespace.name}/network`,
      `${namespace.name}/old`,
    ]);
    await press(page, '[');
    await expect(modules.names.first()).toHaveText(`${namespace.name}/m01`);
    await page.goBack();
    await expect(modules.names.first()).toHaveText(`${namespace.name}/m51`);

    await modules.filters.click();
    await modules.narrow('Provider', 'null');
    await expect(page).not.toHaveURL(/page=/);
    await expect(modules.names).toHaveCount(2);
    await modules.choose('Deprecated');
    await expect(modules.names).toHaveText([`${namespace.name}/old`]);
    await expectRowVisible(modules.grid, { Module: `${namespace.name}/old`, State: 'Deprecated' });
    await modules.choose('Not deprecated');
    await expect(modules.names).toHaveText([`${namespace.name}/network`]);
    await page.keyboard.press('Escape');
    await modules.takeBack('deprecated');
    await expect(modules.names).toHaveCount(2);
    await modules.search.fill('no such module');
    await page.getByRole('button', { name: 'Show all modules' }).click();
    await expect(page).toHaveURL(/\/local\/modules$/);
    await modules.open(`?namespace=${namespace.name}&page=9&verified=maybe`);
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await expect(modules.names.first()).toHaveText(`${namespace.name}/m01`);
  });
  await test.step('the list and its filters are accessible, and fit a phone', async () => {
    const few = await ModuleNamespace.open(stack);
    await few.publish('network/null', '1.0.0');
    await visit(page, `/local/modules?namespace=${few.name}`);
    await expect(modules.names).toHaveCount(1);
    await expectAccessible(page, 'list');
    await page.setViewportSize({ width: 400, height: 860 });
    await expectFits(page, 'list');
    await modules.filters.click();
    await expect(modules.panel).toBeVisible();
    await expectFits(page, 'filters');
    await expectAccessible(page, 'filters');
    await page.keyboard.press('Escape');
    await modules.search.fill('no such module');
    await expect(page.getByRole('button', { name: 'Show all modules' })).toBeVisible();
    await expectAccessible(page, 'nothing found');
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  await test.step('an unavailable registry is reported, and called again', async () => {
    await stack.environments[0]?.modules.stop();
    await page.goto('/local/modules');
    const retry = page.getByRole('main').getByRole('button', { name: 'Retry' });
    await expect(retry).toBeVisible({ timeout: 30_000 });
    await stack.environments[0]?.modules.start();
    await expectRecovered(retry, modules.grid);
  });
});
