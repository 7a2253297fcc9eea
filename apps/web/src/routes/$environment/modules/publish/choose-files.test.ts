import { expect, test } from 'vitest';
import { chooseFiles, namesOf } from './choose-files.ts';

const found = (...paths: readonly string[]) =>
  paths.map((path) => ({ path, contents: path.endsWith('/') ? null : new Blob(['x']) }));

function chosen(...paths: readonly string[]) {
  const { folder, packed, leftOut } = chooseFiles(
    'chosen',
    found(...paths).map(({ path, contents }) => ({ path: path.replace(/\/$/, ''), contents })),
  );
  return { folder, packed: packed.map(({ path }) => path), leftOut };
}

test('leaves out state, history and working folders with reasons, but packs the lock file', () => {
  const { packed, leftOut } = chosen(
    'main.tf',
    '.terraform.lock.hcl',
    '.gitignore',
    '.git/HEAD',
    '.git/objects/ab',
    'examples/one/.terraform/',
    'examples/one/main.tf',
    'terraform.tfstate',
    'terraform.tfstate.backup',
    '.terraform.tfstate.lock.info',
    'prod.tfstate.d/x',
    'tfstate.tf',
  );
  expect(packed).toEqual([
    '.gitignore',
    '.terraform.lock.hcl',
    'examples/one/main.tf',
    'main.tf',
    'tfstate.tf',
  ]);
  expect(leftOut.map(({ path, count }) => `${path} ${String(count)}`)).toEqual([
    '.git/ 2',
    '.terraform.tfstate.lock.info 1',
    'examples/one/.terraform/ 0',
    'prod.tfstate.d/ 1',
    'terraform.tfstate 1',
    'terraform.tfstate.backup 1',
  ]);
  expect(leftOut.every(({ reason }) => reason !== '')).toBe(true);
});

test('removes a folder that contains only the module', () => {
  expect(chosen('terraform-aws-net/main.tf', 'terraform-aws-net/a/b.tf', '.DS_Store')).toMatchObject({
    folder: 'terraform-aws-net',
    packed: ['a/b.tf', 'main.tf'],
  });
  expect(chosen('a/b/c/main.tf')).toMatchObject({ folder: 'c', packed: ['main.tf'] });
  // A file beside it makes the chosen folder the root.
  expect(chosen('README.md', 'modules/a/main.tf')).toMatchObject({
    folder: 'chosen',
    packed: ['README.md', 'modules/a/main.tf'],
  });
  expect(chosen('a/main.tf', 'b/main.tf')).toMatchObject({ folder: 'chosen' });
  expect(chosen()).toMatchObject({ folder: 'chosen', packed: [] });
});

test("reads a module's name and provider from a folder or archive name", () => {
  expect(namesOf('terraform-aws-network')).toEqual({ name: 'network', provider: 'aws' });
  expect(namesOf('terraform-google-cloud-run.tar.gz')).toEqual({ name: 'cloud-run', provider: 'google' });
  expect(namesOf('terraform-aws-network-1.2.0.tgz')).toEqual({ name: 'network', provider: 'aws' });
  expect(namesOf('tofu-azurerm-vm-v2.0.0-rc.1.tar.gz')).toEqual({ name: 'vm', provider: 'azurerm' });
  expect(namesOf('network')).toEqual({ name: 'network', provider: '' });
});
