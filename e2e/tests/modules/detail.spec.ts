import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { ModuleNamespace, networkModule, type ModuleFiles } from '../../fixtures/module-namespace.ts';
import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { ModulePage } from '../../pages/module-page.ts';

/** The module with a submodule with multiline texts, and an example. */
const withSubmodule: ModuleFiles = {
  ...networkModule,
  'README.md': '# Network\n\nA network with zones.\n\n## Two zones\n\nSee [peering](modules/peer).\n',
  'modules/peer/main.tf': [
    'terraform {\n  required_version = ">= 1.6"\n  required_providers {\n    random = {\n      source = "hashicorp/random"\n      configuration_aliases = [random.two]\n    }\n  }\n}\n',
    'variable "policy" {\n  type = string\n  nullable = false\n  ephemeral = true\n  deprecated = "Use rules."\n  validation {\n    condition = var.policy != ""\n    error_message = "Not empty."\n  }\n}\n',
    'variable "peers" {\n  type = list(string)\n}\n',
    'variable "count_of" {\n  type    = number\n  default = 1\n}\n',
    'variable "public" {\n  type    = bool\n  default = false\n}\n',
  ].join('\n'),
  'modules/peer/README.md':
    '# Peering\n\nJoins two networks: [an example](../../examples/small), [how](#how), [all](../../README.md#two-zones).\n\n> [!NOTE]\n> Both sides agree.\n\n## How\n',
  'examples/small/main.tf': 'module "net" {\n  source = "../.."\n  cidr   = "10.0.0.0/16"\n}\n',
  'examples/small/README.md': '# Small\n\nThe least there is.\n',
};

test('a module version shows its parts and the block that uses it, accessibly', async ({
  signedIn: page,
  stack,
}) => {
  test.slow();
  const namespace = await ModuleNamespace.open(stack);
  await namespace.publish('network/null', '1.2.3', withSubmodule);
  const module = new ModulePage(page);
  await test.step('the parts of the module and its submodules are shown', async () => {
    await page.goto(namespace.place('network/null'));
    await expect(module.heading).toHaveText('network');
    // As the description, and in the README itself.
    await expect(page.getByRole('group', { name: 'Readme' }).getByText('A network with zones.')).toHaveCount(
      2,
    );
    await expect(module.value('Version')).toHaveText('1.2.3');
    await expect(module.value('SHA-256')).toHaveText(/^[0-9a-f]{64}/);
    await expect(module.value('Content')).toHaveText('Read by the registry');
    await page.getByRole('button', { name: 'Show location' }).press('Enter');
    await expect(page.locator(':focus').getByRole('group', { name: 'Location' })).toHaveText(/archive|http/);

    await module.tab('Inputs').click();
    await expect(page).toHaveURL(/\?tab=inputs$/);
    await expect(module.required).toHaveText([/^cidr.*The range\..*string/]);
    await expect(module.optional).toHaveText([/^zones.*How many\..*number.*2/]);
    await module.chooseFolder('modules/peer');
    await expect(page).toHaveURL(/submodule=modules%2Fpeer/);
    await expect(module.required).toHaveText([
      /^peers/,
      /^policyEphemeralDeprecatedUse rules\..*string, not null.*var\.policy != "".*Not empty\./,
    ]);
    await module.tab('Dependencies').click();
    await expect(page.getByRole('list', { name: 'Providers' })).toHaveText(
      /Provider configurations to pass in: random\.two/,
    );
    await expect(page.getByText('Terraform or OpenTofu >= 1.6')).toBeVisible();
    await module.tab('Inputs').click();
    await page.reload();
    await expect(module.required).toHaveCount(2);
    await module.tab('Readme').click();
    await expect(page.getByText('Joins two networks')).toBeVisible();
    await expect(page.getByRole('blockquote')).toHaveText(/Note\s*Both sides agree\./);
    await page.getByRole('link', { name: 'how', exact: true }).press('Enter');
    await expect(page.getByRole('heading', { name: 'How' })).toBeFocused();
    await page.getByRole('link', { name: 'all', exact: true }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Two zones' })).toBeFocused();
    await page.getByRole('link', { name: 'peering', exact: true }).press('Enter');
    // The link that had the focus is gone with its README.
    await expect(page.locator(':focus').getByText('Joins two networks')).toBeVisible();
    await page.getByRole('link', { name: 'an example' }).click();
    await expect(page).toHaveURL(/submodule=examples%2Fsmall/);
    await expect(page.getByText('The least there is.')).toBeVisible();
    await module.chooseFolder('modules/peer');
    await module.chooseFolder('Root module');
    await module.tab('Outputs').click();
    await expect(page.getByRole('list', { name: 'Outputs' })).toHaveText(/id.*Its ID\./);
    await module.tab('Resources').click();
    await expect(page.getByRole('list', { name: 'Resources' })).toHaveText(/random_id.*net/);
    await module.tab('Dependencies').click();
    await expect(page.getByRole('list', { name: 'Providers' })).toHaveText(
      /random.*hashicorp\/random.*>= 3\.0/,
    );
    await module.tab('Examples').click();
    await expect(page.getByText('The least there is.')).toBeVisible();
  });
  await test.step('the block contains the entered values, and stays one block', async () => {
    await visit(page, `${namespace.place('network/null')}?tab=use&submodule=modules%2Fpeer`);
    await expect(module.block).toHaveText(
      new RegExp(`source +=.*${namespace.name}/network/null//modules/peer"`),
    );
    await expect(module.block).toContainText('version = "~> 1.2, >= 1.2.3"');
    await expect(module.block).toContainText('random.two = random.two');
    await expect(page.getByText('Still required: peers, policy.')).toBeVisible();
    await page.getByRole('textbox', { name: /^policy/ }).fill('{\n  "a": "${x}"\n}');
    await page.getByRole('textbox', { name: /^peers/ }).fill('["a", "b"');
    await expect(page.getByText('"]" is missing.')).toBeVisible();
    await expect(module.block).not.toContainText('peers');
    await page.getByRole('textbox', { name: /^peers/ }).fill('["a", var.b]');
    await page.getByRole('button', { name: 'Show 2 optional inputs' }).press('Enter');
    await expect(page.locator(':focus').getByRole('textbox', { name: /^count_of/ })).toBeVisible();
    await page.getByRole('textbox', { name: /^count_of/ }).fill('three');
    await expect(page.getByText('Enter a number, such as 3 or 0.5.')).toBeVisible();
    await page.getByRole('button', { name: 'Enter count_of as an expression' }).click();
    await page.getByRole('textbox', { name: /^count_of/ }).fill('length(var.b)');
    await page.getByRole('button', { name: /^Not set.*public/ }).click();
    await page.getByRole('option', { name: 'true', exact: true }).click();
    await page.getByRole('button', { name: /Allowed versions/ }).click();
    await page.getByRole('option', { name: /^This version only/ }).click();
    await expect(module.block).toContainText('version = "1.2.3"');
    const text = await module.block.innerText();
    expect(text).toMatch(/peers +=\s\["a", var\.b\]/);
    expect(text).toContain('policy = chomp(<<EOT\n{\n  "a": "$${x}"\n}\nEOT\n  )');
    expect(text).toMatch(/count_of += length\(var\.b\)/);
    expect(text).toMatch(/public +=\strue/);
    await expect(page.getByRole('group', { name: '~/.terraformrc' })).toContainText('credentials "');
    await expect(page.getByRole('group', { name: 'Host', exact: true })).toContainText(
      `"modules.v1" = "${new URL('/v1/modules/', stack.environments[0]?.modules.url)}"`,
    );
  });
  await test.step('a module with only submodules links to them, and its block uses one of them', async () => {
    const { 'modules/peer/main.tf': main = '', 'README.md': readme = '' } = withSubmodule;
    await namespace.publish('peers/null', '1.0.0', { 'README.md': readme, 'modules/peer/main.tf': main });
    await page.goto(namespace.place('peers/null'));
    const use = page.getByRole('group', { name: 'Use this module' });
    await expect(use).toContainText('Use one of its submodules');
    await expectAccessible(page, 'submodules');
    await use.getByRole('link', { name: 'modules/peer' }).click();
    await expect(use).toContainText('//modules/peer');
  });

  await test.step('all parts are accessible, and fit a phone', async () => {
    await namespace.publish('vpc/null', '1.0.0', withSubmodule);
    await namespace.publish('vpc/null', '1.1.0', withSubmodule);
    await namespace.fetchAs('pipeline', 'vpc/null', '1.0.0');
    await page.setViewportSize({ width: 400, height: 860 });
    await visit(page, namespace.place('vpc/null', '1.0.0'));
    for (const tab of [
      'Readme',
      'Inputs',
      'Outputs',
      'Resources',
      'Dependencies',
      'Examples',
      'Use',
      'Versions',
      'Downloads',
      'Upgrade',
    ]) {
      await module.tab(tab).click();
      const panel = page.getByRole('tabpanel', { name: new RegExp(`^${tab}`) });
      await expect(panel.getByRole('group').first()).toBeVisible();
      await expectFits(page, tab);
      await expectAccessible(page, tab);
    }
  });
});

test('versions of a module are listed with their problems and downloads', async ({
  signedIn: page,
  stack,
}) => {
  test.slow();
  const namespace = await ModuleNamespace.open(stack);
  const module = new ModulePage(page);
  await test.step('the newest usable version is shown unless another is chosen', async () => {
    for (const version of ['1.0.0', '1.1.0', '2.0.0', '3.0.0-rc.1'])
      await namespace.publish('network/null', version);
    await namespace.deprecate('network/null', '1.0.0', {
      state: 'deprecated',
      message: 'It is slow.',
      replacement: '1.1.0',
    });
    await namespace.deprecate('network/null', '2.0.0', { state: 'revoked', message: 'It leaks.' });
    await namespace.publish('broken/null', '1.0.0', {
      'main.tf': 'output "id" {\n  value = 1\n}\n',
      'bad.tf': 'variable {',
    });
    await page.goto(namespace.place('network/null'));
    await expect(module.version).toHaveText('Version 1.1.0');
    await module.chooseVersion('1.0.0');
    await expect(page).toHaveURL(/\?version=1\.0\.0$/);
    await expect(page.getByText('Version 1.0.0 is deprecated')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: '1.1.0', exact: true }).click();
    await expect(page).toHaveURL(/\?version=1\.1\.0$/);
    await module.chooseVersion('2.0.0');
    await expect(page.getByText("Version 2.0.0 was revoked. Don't use it")).toBeVisible();
    await expect(page.getByText('It leaks.')).toBeVisible();
    await visit(page, namespace.place('network/null', '9.9.9'));
    await page.getByRole('link', { name: 'Show the latest version' }).click();
    await expect(module.version).toHaveText('Version 1.1.0');
    await visit(page, namespace.place('broken/null'));
    await expect(page.getByRole('list', { name: "Files that couldn't be read" })).toHaveText(/bad\.tf: ./);
    await module.tab('Outputs').click();
    await expect(page.getByRole('list', { name: 'Outputs' })).toHaveText(/^id/);
    await visit(page, namespace.place('nothing/null'));
    await expect(page.getByText(`Module ${namespace.name}/nothing/null not found`)).toBeVisible();
  });
  await test.step('downloads are drawn, and clients are listed, outdated ones first', async () => {
    await namespace.publish('vpc/null', '1.0.0');
    await namespace.publish('vpc/null', '1.1.0');
    await visit(page, `${namespace.place('network/null')}?tab=downloads`);
    await expect(page.getByRole('figure')).toContainText('By day, none');
    await namespace.fetchAs('fresh pipeline', 'vpc/null', '1.1.0');
    await namespace.fetchAs('stale pipeline', 'vpc/null', '1.0.0');
    await visit(page, `${namespace.place('vpc/null')}?tab=downloads`);
    await expect(page.getByRole('img', { name: /^Downloads by day: 2 in 30 days/ })).toBeVisible();
    await page.getByRole('radio', { name: 'Table' }).click();
    await expect(page.getByRole('table', { name: 'Downloads by day' }).getByRole('row').nth(1)).toHaveText(
      /2.*1\.0\.0 \(1\), 1\.1\.0 \(1\)$/,
    );
    await expect(module.consumers).toHaveText([
      /^stale pipeline.*1\.0\.0.*1 version behind/,
      /^fresh pipeline.*1\.1\.0.*Up to date/,
    ]);
    await module.consumers.getByRole('link', { name: 'What changes from 1.0.0 to 1.1.0' }).click();
    await expect(page).toHaveURL(/\?version=1\.1\.0&compare=1\.0\.0/);
    await expect(page.getByText('No changes to inputs or outputs')).toBeVisible();
  });
});
