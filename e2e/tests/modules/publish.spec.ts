import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryPlace } from '@gatehouse/service-kit/temporary-folder';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { archiveOf, ModuleNamespace, networkModule, writeFiles } from '../../fixtures/module-namespace.ts';
import { expect, test as base } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, press, visit } from '../../fixtures/vocabulary.ts';
import { ModulePublishPage } from '../../pages/module-publish-page.ts';

const test = base.extend<{ readonly folder: string; readonly namespace: ModuleNamespace }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern
  folder: async ({}, use) => {
    const folder = fs.mkdtempSync(path.join(temporaryPlace(), 'gatehouse-publish-'));
    await use(folder);
    fs.rmSync(folder, { recursive: true });
  },
  namespace: async ({ stack }, use) => use(await ModuleNamespace.open(stack)),
});

const gzip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/gzip', buffer });

test('a module is published for the first time, after missing input and bad archives', async ({
  signedIn: page,
  folder,
  namespace,
}) => {
  test.slow();
  const publish = new ModulePublishPage(page);
  await test.step('missing input is named', async () => {
    await publish.open();
    await expectAccessible(page, 'the empty form');
    await publish.publish.click();
    await expectFieldError(page, 'Namespace', /needs a namespace/);
    await expect(page.getByText('Choose a folder or an archive first.')).toBeVisible();
  });
  await test.step('bad archives are refused with the reason, and an unreadable file is reported', async () => {
    await publish.archive.setInputFiles(gzip('x.tar.gz', Buffer.from('not gzip')));
    await expect(publish.refusal).toContainText("The registry wouldn't accept this archive");
    await expect(publish.refusal).toContainText('it is not gzip');
    await expectAccessible(page, 'a refused archive');
    await publish.archive.setInputFiles(gzip('x.tar.gz', Buffer.alloc(0)));
    await expect(publish.refusal).toContainText('The archive is empty.');
    await publish.archive.setInputFiles(gzip('x.tar.gz', archiveOf({ 'README.md': '# Nothing' })));
    await expect(publish.refusal).toContainText('it has no module at its root');
    await publish.archive.setInputFiles(gzip('terraform-null-other.tar.gz', archiveOf(networkModule)));
    await expect(publish.name).toHaveValue('other');
    await expect(publish.provider).toHaveValue('null');
    await publish.archive.setInputFiles(
      gzip(
        'terraform-random-net.tar.gz',
        archiveOf({ 'main.tf': 'variable "a" {', 'b.tf': 'output "b" { value = 1 }' }),
      ),
    );
    await expect(publish.checks.filter({ hasText: "1 file can't be read" })).toHaveCount(1);
    await expect(publish.refusal).toHaveCount(0);
    await expect(page.getByText(/main\.tf/).first()).toBeVisible();
    // The second archive's name replaces the proposal of the first one.
    await expect(publish.name).toHaveValue('net');
    await expect(publish.provider).toHaveValue('random');
    await publish.namespace.fill(namespace.name);
    await press(page, 'Tab');
    await expect(publish.version).toHaveValue('1.0.0');
    await publish.publish.click();
    await expectToast(page, `${namespace.name}/net/random 1.0.0 published`);
  });
  await test.step('a folder is packed in the page, read and published, and clients get its files', async () => {
    const module = path.join(folder, 'terraform-random-network');
    const long = `modules/${'deep/'.repeat(24)}größe.tf`;
    writeFiles(module, {
      ...networkModule,
      [long]: '',
      'modules/subnet/main.tf': 'variable "name" {}\n',
      'examples/simple/main.tf': 'module "network" {\n  source = "../.."\n  cidr   = "10.0.0.0/8"\n}\n',
      '.terraform.lock.hcl': '# locked\n',
      '.terraform/modules/modules.json': '{}',
      '.git/HEAD': 'ref: refs/heads/main\n',
      'terraform.tfstate': '{"secret": "x"}',
    });
    await visit(page, '/local/modules/publish');
    await publish.folder.setInputFiles(module);
    await expect(publish.checks.first()).toHaveText('The registry accepts this archive.');
    await expect(publish.name).toHaveValue('network');
    await expect(publish.provider).toHaveValue('random');
    await publish.unfold(/^Inputs \(2\)/);
    await expect(publish.list('Inputs').first()).toHaveText(/cidr.*string.*Required/);
    await publish.unfold(/^Submodules/);
    await expect(publish.list('Submodules').last()).toHaveText('modules/subnet');
    await publish.unfold(/^Left out: 3/);
    await expect(publish.list('Left out')).toHaveText([
      /^\.git\/.*history/,
      /^\.terraform\/.*working folder/,
      /^terraform\.tfstate.*secrets/,
    ]);
    await publish.namespace.fill(namespace.name);
    await press(page, 'Tab');
    await expect(page.getByText('This is the first version of a new module.')).toBeVisible();
    await expect(publish.version).toHaveValue('1.0.0');
    await publish.description.fill('Networks of a test');
    await expectAccessible(page, 'a module that was read');
    await page.setViewportSize({ width: 390, height: 800 });
    await expectFits(page, 'a module that was read');
    await page.setViewportSize({ width: 1440, height: 900 });
    await publish.publish.click();
    await expectToast(page, `${namespace.name}/network/random 1.0.0 published`);
    await expect(page).toHaveURL(new RegExp(`/modules/${namespace.name}/network/random`));

    const stored = await namespace.read('network/random/1.0.0');
    expect(stored).toMatchObject({ description: 'Networks of a test', owner: 'admin' });
    fs.writeFileSync(
      path.join(folder, 'got.tar.gz'),
      await namespace.fetchAs('CI', 'network/random', '1.0.0'),
    );
    fs.mkdirSync(path.join(folder, 'got'));
    execFileSync('tar', ['-xzf', path.join(folder, 'got.tar.gz'), '-C', path.join(folder, 'got')]);
    const got = fs.readdirSync(path.join(folder, 'got'), { recursive: true, withFileTypes: true });
    expect(
      got
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(path.join(folder, 'got'), path.join(entry.parentPath, entry.name)))
        .toSorted(),
    ).toEqual(
      [
        '.terraform.lock.hcl',
        'README.md',
        'examples/simple/main.tf',
        'main.tf',
        long,
        'modules/subnet/main.tf',
      ].toSorted(),
    );
  });
});

test('a module is published again', async ({ signedIn: page, namespace }) => {
  test.slow();
  const publish = new ModulePublishPage(page);
  await test.step('the next version is compared with the previous one, which determines its number', async () => {
    await namespace.publish('network/random', '1.0.0');
    await namespace.publish('network/random', '1.2.0');
    await publish.open(`?namespace=${namespace.name}&name=network&provider=random`);
    await expect(publish.namespace).toHaveValue(namespace.name);
    const main = networkModule['main.tf'] ?? '';
    const send = (text: string) =>
      publish.archive.setInputFiles(gzip('network.tgz', archiveOf({ ...networkModule, 'main.tf': text })));

    await send(main);
    await expect(publish.version).toHaveValue('1.2.1');
    await expect(page.getByRole('group', { name: 'Compared with 1.2.0' })).toBeVisible();
    await send(`${main}\nvariable "tags" {\n  default = {}\n}\n`);
    await expect(publish.version).toHaveValue('1.3.0');
    await publish.drop(
      'network.tgz',
      archiveOf({ ...networkModule, 'main.tf': `${main}\nvariable "region" {}\n` }),
    );
    await expect(publish.version).toHaveValue('2.0.0');
    await expect(publish.suggestions.first()).toHaveText(/2\.0\.0.*Breaking/);
    await expectAccessible(page, 'the comparison');

    // A fix of an older line is compared with that line.
    await publish.version.fill('1.0.1');
    await expect(page.getByRole('group', { name: 'Compared with 1.0.0' })).toBeVisible();
    await publish.version.fill('1.2.0');
    await publish.publish.click();
    await expectFieldError(page, 'Version', /was published before/);
    await expect(publish.suggestions.first()).toHaveText(/2\.0\.0.*Breaking/);
    await publish.suggestions.first().click();
    await publish.publish.click();
    await expectToast(page, `${namespace.name}/network/random 2.0.0 published`);
  });
  await test.step('a number that was taken or deleted is reported beside it, and nothing is lost', async () => {
    await namespace.publish('peering/random', '1.0.0');
    await namespace.publish('peering/random', '1.1.0');
    await namespace.remove('peering/random', '1.1.0');
    await visit(page, `/local/modules/publish?namespace=${namespace.name}&name=peering&provider=random`);
    await publish.archive.setInputFiles(gzip('peering.tar.gz', archiveOf(networkModule)));
    await expect(page.getByRole('group', { name: 'Compared with 1.0.0' })).toBeVisible();
    await publish.description.fill('Kept');
    for (const number of ['1.1.0', '1.2.0']) {
      await publish.version.fill(number);
      if (number === '1.2.0') await namespace.publish('peering/random', '1.2.0');
      await publish.publish.click();
      await expectFieldError(page, 'Version', new RegExp(`${number} was published before`));
      await expect(publish.version).toBeFocused();
    }
    await expect(publish.description).toHaveValue('Kept');
    await publish.version.fill('1.3.0');
    await publish.publish.click();
    await expectToast(page, `${namespace.name}/peering/random 1.3.0 published`);
  });
});
