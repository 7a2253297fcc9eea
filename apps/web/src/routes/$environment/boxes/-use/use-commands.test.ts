import { expect, test } from 'vitest';
import { addCommand, architecturesOf, vagrantfile } from './use-commands.ts';

test('a box is added from its registry, with values quoted for the shell', () => {
  expect(addCommand({ tag: 'acme/base', serverUrl: null })).toBe('vagrant box add acme/base');
  expect(
    addCommand({
      tag: "ana's/base",
      serverUrl: 'https://boxes.example.com',
      version: '1.0.0',
      provider: 'libvirt',
    }),
  ).toBe(
    String.raw`VAGRANT_SERVER_URL=https://boxes.example.com vagrant box add 'ana'\''s/base' --box-version 1.0.0 --provider libvirt`,
  );
});

test("a Vagrantfile's strings evaluate nothing", () => {
  const text = vagrantfile({
    tag: 'a"#{x}\\',
    serverUrl: 'https://b.example.com/#{x}',
    version: '1.0.0',
    provider: 'virtualbox',
  });
  const lines = text.split('\n');
  expect(lines[0]).toBe('ENV["VAGRANT_SERVER_URL"] ||= "https://b.example.com/\\#{x}"');
  expect(lines).toContain('  config.vm.box = "a\\"\\#{x}\\\\"');
  expect(lines).toContain('  config.vm.box_version = "1.0.0"');
});

test("names an architecture that clients wouldn't choose automatically", () => {
  const box = { tag: 'acme/base', serverUrl: null, architecture: 'arm64' };
  expect(addCommand(box)).toBe('vagrant box add acme/base --architecture arm64');
  expect(vagrantfile(box).split('\n')).toContain('  config.vm.box_architecture = "arm64"');
  const images = [
    { name: 'libvirt', architecture: 'arm64' },
    { name: 'qemu', architecture: 'amd64' },
    { name: 'qemu', architecture: 'arm64' },
    { name: 'utm', architecture: 'unknown' },
    { name: 'utm', architecture: null },
  ];
  expect(architecturesOf(images)).toEqual(['amd64', 'arm64']);
  const linked = { name: 'hyperv', architecture: 'i386', hosted: false, available: false };
  const empty = { name: 'hyperv', architecture: 'riscv64', hosted: true, available: false };
  expect(architecturesOf([linked, empty])).toEqual(['i386']);
});
