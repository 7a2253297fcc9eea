import { createHash } from 'node:crypto';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { PluginCatalog } from '../../fixtures/plugin-catalog.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test as base } from '../../fixtures/test.ts';
import { expectRowVisible, expectToast, press, visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { PluginPage, PluginsPage, UpgradePage } from '../../pages/plugins-page.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

const test = base.extend<{ readonly catalog: PluginCatalog }>({
  catalog: async ({ stack }, use) => {
    const catalog = await PluginCatalog.open(stack);
    await use(catalog);
    await catalog.close();
  },
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

test('plugins are registered, edited, pinned, deleted and upgraded', async ({
  signedIn: page,
  catalog,
  canaries,
  secrets,
}) => {
  test.slow();
  await test.step('a dropped binary is looked up, registered from there, and found again by its hash', async () => {
    const [file, text] = ['vault-plugin-secrets-dropped_v1.4.0_linux_amd64', 'dropped binary'];
    const id = 'secret/vault-plugin-secrets-dropped@v1.4.0';
    const hash = catalog.binary(file, text);
    catalog.forget(id);
    const plugins = new PluginsPage(page);
    await page.goto('/local/plugins');
    await expectRowVisible(plugins.grid, { Plugin: 'kv', Source: 'Built-in', 'Used by': /secret/ });
    await plugins.drop(file, text);
    await expect(plugins.hash).toHaveValue(hash);
    await expect(plugins.check.getByText('Not registered')).toBeVisible();
    await expectAccessible(page, 'the check of a file');
    await plugins.check.getByRole('link', { name: 'Register this binary' }).click();

    const form = new RecordForm(page, 'plugin');
    await expect(form.field('Name')).toHaveValue('vault-plugin-secrets-dropped');
    await expect(form.field('Version')).toHaveValue('v1.4.0');
    await expect(form.field('SHA-256')).toHaveValue(hash);
    await expect(form.field('Command')).toHaveValue(file);
    await form.picker('Environment').getByRole('button', { name: 'Add a key' }).click();
    await form.field('Key 1').fill('TOKEN');
    await form.field('Value of TOKEN').fill('canary-of-an-environment');
    await form.field('Arguments 1').fill('--level=a b');
    await page.setViewportSize({ width: 400, height: 860 });
    await expectFits(page, 'the form of a plugin');
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectAccessible(page, 'the form of a plugin');
    await press(page, 'Control+s');
    // Registering a plugin decides which code the server runs.
    await isItYou(page).enter(password);
    await expectToast(page, /registered and verified/);
    canaries.add('canary-of-an-environment');
    expect(await catalog.read(id)).toMatchObject({ sha256: hash, command: file, args: ['--level=a b'] });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'secret/vault-plugin-secrets-dropped v1.4.0',
    );
    await expectAccessible(page, 'a plugin');
    // The same binary in base64, and another one.
    const compared = page.getByRole('textbox', { name: 'SHA-256 to compare' });
    await compared.fill(Buffer.from(hash, 'hex').toString('base64'));
    await expect(page.getByText('Same binary')).toBeVisible();
    await compared.fill(hashOf('another'));
    await expect(page.getByText("The hash differs, so the server won't run this binary")).toBeVisible();

    await page
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Plugins' })
      .click();
    await expectRowVisible(plugins.grid, {
      Plugin: 'vault-plugin-secrets-dropped',
      Source: 'Registered',
      State: 'Not supported',
    });
    await page.setViewportSize({ width: 400, height: 860 });
    await expect(plugins.grid.getByText('v1.4.0 · Not supported')).toBeVisible();
    await expectFits(page, 'the list of plugins');
    await page.setViewportSize({ width: 1440, height: 900 });
    // Rows out of sight aren't read before they are requested.
    await page.goto('/local/plugins?state=unsupported');
    await expect(
      page.getByText(/^No plugins match state not supported\. \d+ plugins? (?:is|are) not checked\.$/),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Check all' }).click();
    await expectRowVisible(plugins.grid, { Plugin: 'vault-plugin-secrets-dropped', State: 'Not supported' });
    await visit(page, '/local/plugins');
    await press(page, 'x');
    await plugins.hash.fill(hash);
    await expect(plugins.check.getByText(/^Registered as/)).toBeVisible();
    await plugins.drop('vault-plugin-secrets-dropped', 'changed binary');
    await expect(plugins.check.getByText(/the hash differs/)).toBeVisible();
    // Another file proposes its name as the command, and a compared file is taken along to another version.
    await visit(page, `/local/plugins/${encodeURIComponent(id)}`);
    await page.getByLabel('Binary of the plugin').setInputFiles({
      name: 'vault-plugin-secrets-dropped_v1.5.0_linux_amd64',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('next binary'),
    });
    await expect(page.getByText("The hash differs, so the server won't run this binary")).toBeVisible();
    await page.getByRole('link', { name: 'Register another version' }).click();
    await expect(form.field('Version')).toHaveValue('v1.5.0');
    await expect(form.field('SHA-256')).toHaveValue(hashOf('next binary'));
    await form.field('Command').fill('');
    await page.getByLabel('Binary of the plugin').setInputFiles({
      name: 'mine-1.6',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('mine 1.6'),
    });
    await expect(form.field('Command')).toHaveValue('mine-1.6');
    await expect(form.field('SHA-256')).toHaveValue(hashOf('mine 1.6'));
  });
  await test.step('edits conflict, a version is pinned and unpinned, and deleting shows what breaks', async () => {
    const id = 'secret/edited@v1.0.0';
    const sha256 = catalog.binary('edited', 'one');
    await catalog.register(id, { sha256, command: 'edited', args: ['--old'] });
    // The form that was filled in above is left without a question.
    await page.goto(`/local/plugins/${encodeURIComponent(id)}/edit`);
    const form = new RecordForm(page, 'plugin');
    await expect(page.getByText('Saving registers the plugin again, without its environment')).toBeVisible();
    await form.field('Arguments 1').fill('--mine');
    await catalog.register(id, { sha256, command: 'edited', args: ['--theirs'] });
    await form.save('Save plugin').click();
    const conflict = new ConflictView(page);
    await expect(conflict.title).toBeVisible();
    await conflict.choose('Arguments', 'Use mine');
    await form.save('Save plugin').click();
    await expectToast(page, /^secret\/edited v1\.0\.0 registered and verified/);
    expect(await catalog.read(id)).toMatchObject({ args: ['--mine'] });

    const plugin = new PluginPage(page);
    await plugin.choose('Pin this version');
    await expectToast(page, 'secret/edited v1.0.0 pinned');
    await expect(plugin.versions.getByText('Pinned')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectToast(page, 'Pin change undone');
    await expect(plugin.versions.getByText('Pinned')).toHaveCount(0);
    await plugin.choose('Delete');
    await expect(plugin.dialog.getByText(/The binary stays in the plugin directory/)).toBeVisible();
    await plugin.press('Delete plugin');
    await expectToast(page, 'secret/edited v1.0.0 deleted');
    expect(await catalog.read(id)).toBeUndefined();
  });
  await test.step('an upgrade stops if the server refuses it, and is rolled back', async () => {
    const id = 'secret/kv@v9.1.0';
    const sha256 = catalog.binary('kv-9.1', 'kv 9.1');
    catalog.forget(id);
    const kv = page.getByRole('grid', { name: 'Plugins' }).getByRole('link', { name: 'kv', exact: true });
    await visit(page, '/local/plugins');
    await kv.click();
    const plugin = new PluginPage(page);
    await expect(plugin.mounts.getByText(secrets.mount, { exact: true })).toBeVisible();
    // Built-in plugins restart; this server refuses to run registered ones.
    await plugin.choose('Reload');
    await plugin.press('Reload plugin');
    await expectToast(page, /^secret\/kv .* reloaded$/);
    await page.getByRole('link', { name: 'Upgrade', exact: true }).click();
    const upgrade = new UpgradePage(page);
    await upgrade.form.getByLabel('Version', { exact: true }).fill('9.1.0');
    await upgrade.form.getByLabel('SHA-256', { exact: true }).fill(sha256);
    await upgrade.form.getByLabel('Command', { exact: true }).fill('kv-9.1');
    const own = upgrade.form.getByRole('checkbox', { name: new RegExp(`^${secrets.mount}`) });
    await expect(own).toBeVisible();
    for (const other of await upgrade.form.getByRole('checkbox').all()) await other.uncheck();
    await upgrade.form.getByRole('button', { name: 'Upgrade 0 mounts' }).click();
    await expect(upgrade.form.getByText('Choose at least one mount.')).toBeVisible();
    await own.check();
    await expectAccessible(page, 'the form of an upgrade');
    await upgrade.form.getByRole('button', { name: 'Upgrade 1 mount' }).click();
    await expect(page.getByRole('group', { name: 'Steps of the upgrade' })).toBeFocused();

    // The embedded server runs no external plugins, and says so when one is reloaded.
    await expect(upgrade.step(`Reload ${secrets.mount}`).getByText('Failed')).toBeVisible();
    await expect(upgrade.step('Register kv v9.1.0').getByText('Done')).toBeVisible();
    await expect(upgrade.step('Verify').getByText('Waiting')).toBeVisible();
    await expect(page.getByText(/^Stopped: Reload/)).toBeVisible();
    await expectAccessible(page, 'an upgrade that stopped');
    expect(await catalog.versionOf(secrets.mount)).toBe('v9.1.0');
    await page.getByRole('button', { name: 'Roll back' }).click();
    await expect(page.getByText('Rolled back', { exact: true })).toBeVisible();
    expect(await catalog.versionOf(secrets.mount)).toBe('');
    expect(await catalog.read(id)).toMatchObject({ sha256 });
  });
});

test('users who may not see the catalog see why, and what to do', async ({ openBrowser }) => {
  const page = await openBrowser('operator');
  await page.goto('/local/plugins');
  await expect(page.getByText("You can't see the plugin catalog")).toBeVisible();
  await expectAccessible(page, 'a catalog that is forbidden');
  await page.getByRole('link', { name: 'Go to secrets' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Secrets');
});

test('the overview lists a plugin that the server will not run', async ({ signedIn: page, catalog }) => {
  catalog.binary('replaced', 'new file');
  await catalog.register('secret/replaced@v1.0.0', { command: 'replaced', sha256: hashOf('old file') });
  await page.goto('/local');
  const matters = page.getByRole('list', { name: 'Needs attention' });
  const matter = matters
    .getByRole('listitem')
    .filter({ hasText: 'Plugin secret/replaced v1.0.0: hash differs' });
  await expect(matter).toBeVisible();
  await expectAccessible(page, 'the overview with something that needs attention');
  await matter.getByRole('link', { name: 'See plugin' }).click();
  await expect(page.getByRole('heading', { name: 'secret/replaced v1.0.0' })).toBeVisible();
  // The file that the server found is shown, with the commands for the right one.
  await expect(page.getByText(hashOf('new file'))).toBeVisible();
  await expect(page.getByText(`echo '${hashOf('old file')}  replaced' | sha256sum --check`)).toBeVisible();
  await page.getByRole('link', { name: 'register it as another version' }).click();
  await expect(new RecordForm(page, 'plugin').field('SHA-256')).toHaveValue(hashOf('new file'));
});
