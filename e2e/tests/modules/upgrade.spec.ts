import { expectAccessible } from '../../fixtures/accessible.ts';
import { ModuleNamespace } from '../../fixtures/module-namespace.ts';
import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { ModulePage } from '../../pages/module-page.ts';

const provider = (version: string) =>
  `terraform {\n  required_providers {\n    random = {\n      source  = "hashicorp/random"\n      version = "${version}"\n    }\n  }\n}\n`;
const input = (name: string, ...lines: string[]) => `variable "${name}" {\n  ${lines.join('\n  ')}\n}\n`;
const output = (name: string) => `output "${name}" {\n  value = 1\n}\n`;

const one = [
  provider('>= 2.0'),
  input('cidr', 'type = string'),
  input('tags', 'type = map(string)', 'default = {}'),
  input('days', 'type = number', 'default = 14'),
  input('old', 'type = string', 'default = ""'),
  output('ip'),
].join('\n');

const two = [
  provider('>= 3.0'),
  input('cidr', 'type =   string'),
  input('tags', 'type = map(object({\n    value = string\n  }))', 'default = {}'),
  input('days', 'type = number', 'default = 90'),
  input('zones', 'type = list(string)'),
  output('ips'),
].join('\n');

test('an upgrade shows what breaks, what is new and what is worth knowing, and rewrites the block', async ({
  signedIn: page,
  stack,
}) => {
  const namespace = await ModuleNamespace.open(stack);
  await namespace.publish('network/null', '1.0.0', { 'main.tf': one, 'modules/a/main.tf': output('a') });
  await namespace.publish('network/null', '1.0.1', { 'main.tf': one, 'modules/a/main.tf': output('a') });
  await namespace.publish('network/null', '2.0.0', { 'main.tf': two });
  const module = new ModulePage(page);
  await page.goto(namespace.place('network/null'));
  await module.tab('Upgrade').click();
  // The previous version, unless another is chosen.
  await expect(module.from).toHaveValue('1.0.1');
  await expect(page.getByText('Breaking: 6 changes may stop existing blocks from working')).toBeVisible();
  await expect(module.findings('Breaks')).toHaveText([
    /^Input old: input removed/,
    /^Input tags: type changed/,
    /^Input zones: new required input/,
    /^Output ip: output removed/,
    /^Provider random: requires a newer major version/,
    /^Submodule modules\/a: submodule removed/,
  ]);
  await expect(module.findings('New')).toHaveText([/^Output ips: new output/]);
  await expect(module.findings('Worth knowing')).toHaveText([/^Input days: default changed.*14.*90/]);
  await expectAccessible(page, 'breaking');

  const rewritten = page.getByRole('group', { name: 'For 2.0.0' });
  await expect(rewritten).toContainText('zones = null # required, list(string)');
  const own = page.getByRole('textbox', { name: 'The block for 1.0.1' });
  await own.fill(
    'module "net" {\n  source  = "x/y/z"\n  version = "1.0.1" # pinned\n  old     = "a"\n  cidr    = var.cidr\n}\n',
  );
  await expect
    .poll(() => rewritten.innerText())
    .toBe(
      'module "net" {\n  source  = "x/y/z"\n  version = "~> 2.0" # pinned\n  cidr    = var.cidr\n  zones = null # required, list(string)\n}\n',
    );
  await expect(page.getByText('old was removed, because the input no longer exists.')).toBeVisible();
  await own.fill('resource "a" "b" {');
  await expect(page.getByText('No module block found')).toBeVisible();

  await module.compareWith('1.0.0');
  await expect(page).toHaveURL(/compare=1\.0\.0/);
  await page.reload();
  await expect(module.from).toHaveValue('1.0.0');
  await page.getByRole('button', { name: 'Swap versions' }).click();
  await expect(page).toHaveURL(/version=1\.0\.0/);
  await expect(module.findings('Breaks').filter({ hasText: 'Output ips: output removed' })).toHaveCount(1);
  await visit(page, `${namespace.place('network/null')}?version=1.0.1&compare=1.0.0`);
  await expect(page.getByText('No changes to inputs or outputs')).toBeVisible();
});
