import { expect, test } from 'vitest';
import { addCommand, vagrantfile } from './use-commands.ts';

test('a box is added from the registry that has it, quoted for the shell', () => {
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

test('nothing in a Vagrantfile is evaluated', () => {
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
