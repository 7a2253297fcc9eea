import { versionForm } from '@gatehouse/api-types/console/box-names';
import { compareVersions } from '@gatehouse/api-types/console/box-values';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { architectureNamed, architectureOfFile, nextVersions, providerOfFile } from './suggestions.ts';

test('suggested versions are higher than the newest, and valid for clients', () => {
  fc.assert(
    fc.property(fc.stringMatching(versionForm), (newest) => {
      for (const version of nextVersions(newest)) {
        expect(version).toMatch(versionForm);
        expect(compareVersions(version, newest)).toBeGreaterThan(0);
      }
    }),
  );
});

test.each([
  [undefined, ['1.0.0', '0.1.0']],
  ['1.2.3', ['1.2.4', '1.3.0', '2.0.0']],
  ['2.0.0-beta', ['2.0.0', '2.1.0', '3.0.0']],
  ['3', ['3.0.1', '3.1.0', '4.0.0']],
  ['20240101.0.0', []],
])('suggests versions after %s', (newest, expected) => {
  expect(nextVersions(newest)).toEqual(expected);
});

test('guesses the provider from the file name', () => {
  expect(providerOfFile('bionic-VirtualBox.box')).toBe('virtualbox');
  expect(providerOfFile('img_kvm_2024.box')).toBe('libvirt');
  expect(providerOfFile('package.box')).toBe('');
});

test.each([
  ['debian-12_amd64_libvirt.box', 'amd64'],
  ['Fedora.x86_64.box', 'amd64'],
  ['ubuntu-aarch64-vbox.box', 'arm64'],
  ['old-i686.box', 'i386'],
  ['pi-armhf.box', 'arm'],
  ['alarm-parallels.box', ''],
  ['package.box', ''],
])('guesses the architecture of %s as %j', (name, architecture) => {
  expect(architectureOfFile(name)).toBe(architecture);
});

test('normalizes architecture names to those of clients', () => {
  expect(['AARCH64', 'x86-64', 'loong64'].map(architectureNamed)).toEqual(['arm64', 'amd64', 'loong64']);
});
