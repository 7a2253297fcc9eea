import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWanted } from './read-wanted.ts';

describe('boxes', () => {
  test.each([
    ['acme', 'acme'],
    ['acme/base', 'acme/base'],
    ['  "acme/base",', 'acme/base'],
    ['- acme/base', 'acme/base'],
    ['https://app.vagrantup.com/debian/boxes/bookworm64', 'debian/bookworm64'],
    [
      'https://app.vagrantup.com/debian/boxes/bookworm64/versions/12.1/providers/libvirt.box',
      'debian/bookworm64',
    ],
    ['https://app.vagrantup.com/debian', 'debian'],
    ['https://portal.cloud.hashicorp.com/vagrant/discover/bento/ubuntu-24.04', 'bento/ubuntu-24.04'],
    ['vagrantcloud.com/bento/ubuntu-24.04', 'bento/ubuntu-24.04'],
    ['https://vagrantcloud.com/bento/ubuntu-24.04?provider=libvirt#top', 'bento/ubuntu-24.04'],
    ['https://vagrantcloud.com/api/v2/box/bento/ubuntu-24.04', 'bento/ubuntu-24.04'],
    ['https://vagrantcloud.com/api/v2/vagrant/bento/ubuntu-24.04', 'bento/ubuntu-24.04'],
    ['https://boxes.example.com:8300/api/v1/user/acme', 'acme'],
    ['boxes.example.com/acme/base', 'acme/base'],
    ['  config.vm.box = "acme/base" # ours', 'acme/base'],
    ["node.vm.box_url = 'https://vagrantcloud.com/acme/base'", 'acme/base'],
    ['"box": "acme/base",', 'acme/base'],
    ['box: acme/base', 'acme/base'],
    ['vagrant init acme/base --minimal', 'acme/base'],
    ['$ vagrant box add --provider libvirt acme/base', 'acme/base'],
    ['acme/base    (virtualbox, 1.2.0, (amd64))', 'acme/base'],
  ])('%s', (text, name) => {
    const { names, notRead } = readWanted(text, 'boxes');
    expect(names).toEqual([name]);
    expect(notRead).toEqual([]);
  });

  test('reads several in a line, and counts duplicates', () => {
    expect(readWanted('acme/base, acme/web;debian\nacme/base acme/db', 'boxes')).toEqual({
      names: ['acme/base', 'acme/web', 'debian', 'acme/db'],
      repeated: 1,
      notRead: [],
    });
  });

  test('reads only boxes from a Vagrantfile, and reports all other lines', () => {
    const file = `# -*- mode: ruby -*-
Vagrant.configure("2") do |config|
  config.vm.box = "acme/base"
  config.vm.network "private_network", ip: "192.168.33.10"
  config.vm.provision "shell", path: "scripts/setup.sh"
end`;
    const { names, notRead } = readWanted(file, 'boxes');
    expect(names).toEqual(['acme/base']);
    expect(notRead.map(({ line }) => line)).toEqual([1, 2, 4, 5, 6]);
  });

  test.each(['please bring our boxes', 'a/b/c/d', '/acme', 'git://x/y', '../base', '-x', ',', 'ftp://h/a/b'])(
    'reads no name: %s',
    (text) => {
      const { names, notRead } = readWanted(text, 'boxes');
      expect(names).toEqual([]);
      expect(notRead).toEqual([{ line: 1, text }]);
    },
  );
});

describe('modules', () => {
  test.each([
    ['acme', 'acme'],
    ['acme/network', 'acme/network'],
    ['acme/network/aws', 'acme/network/aws'],
    ['  source  = "app.terraform.io/acme/network/aws//modules/subnets"', 'acme/network/aws'],
    ['source = "hashicorp/consul/aws"', 'hashicorp/consul/aws'],
    ['https://registry.terraform.io/modules/hashicorp/consul/aws/latest', 'hashicorp/consul/aws'],
    ['https://registry.terraform.io/v1/modules/hashicorp/consul/aws/0.1.0', 'hashicorp/consul/aws'],
    ['https://registry.terraform.io/namespaces/hashicorp', 'hashicorp'],
    ['https://app.terraform.io/app/acme/registry/modules/private/acme/network/aws', 'acme/network/aws'],
  ])('%s', (text, name) => {
    expect(readWanted(text, 'modules')).toEqual({ names: [name], repeated: 0, notRead: [] });
  });

  test.each(['source = "./network"', 'source = "git::https://example.com/vpc.git"', 'version = "1.2.0"'])(
    'reads no registry module: %s',
    (text) => {
      expect(readWanted(text, 'modules')).toEqual({ names: [], repeated: 0, notRead: [{ line: 1, text }] });
    },
  );
});

const word = fc
  .stringMatching(/^[a-z][a-z0-9._-]{0,8}$/)
  .filter((text) => !/^(?:end|do|else|begin|then)$/.test(text));

test('reads a list of names in its order', () => {
  const name = fc.tuple(word, word).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(
      fc.uniqueArray(
        name.filter((text) => !/\/boxes$|^api\/|^(?:vagrantcloud|app)\./.test(text)),
        { minLength: 1 },
      ),
      fc.constantFrom('\n', ', ', '\r\n', ';', ' '),
      (names, between) => {
        expect(readWanted(names.join(between), 'boxes')).toEqual({ names, repeated: 0, notRead: [] });
      },
    ),
  );
});

test('accounts for all text, and reads only names that a move accepts', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('boxes', 'modules'),
      (text, kind) => {
        const { names, notRead } = readWanted(text, kind);
        for (const name of names)
          expect(name).toMatch(/^[0-9A-Za-z][0-9A-Za-z._-]*(?:\/[0-9A-Za-z][0-9A-Za-z._-]*){0,2}$/);
        const lines = text.split(/\r\n|\r|\n/);
        for (const [index, line] of lines.entries()) {
          if (line.trim() === '' || notRead.some(({ line: at }) => at === index + 1)) continue;
          expect(readWanted(line, kind).names.length).toBeGreaterThan(0);
        }
      },
    ),
  );
});
