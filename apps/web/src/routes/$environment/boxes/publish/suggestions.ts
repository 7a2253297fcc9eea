/** What the wizard proposes, to be overwritten. */
import { compareVersions } from '@gatehouse/api-types/console/box-values';

/** Numbers that usually come after one: the next patch, minor and major. None where it has another form. */
export function nextVersions(newest: string | undefined): readonly string[] {
  if (newest === undefined) return ['1.0.0', '0.1.0'];
  const [, major, minor, patch, rest] =
    /^(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?([.-].*)?$/.exec(newest) ?? [];
  if (major === undefined) return [];
  const [a, b, c] = [Number(major), Number(minor ?? 0), Number(patch ?? 0)];
  const dates = /^\d{8}$/.test(major);
  const found = dates
    ? []
    : [
        // What follows a preview is the version itself.
        rest?.startsWith('-') === true ? `${a}.${b}.${c}` : `${a}.${b}.${c + 1}`,
        `${a}.${b + 1}.0`,
        `${a + 1}.0.0`,
      ];
  return found.filter((version) => compareVersions(version, newest) > 0);
}

const signs: readonly (readonly [RegExp, string])[] = [
  [/virtualbox|vbox/i, 'virtualbox'],
  [/libvirt|kvm/i, 'libvirt'],
  [/vmware/i, 'vmware_desktop'],
  [/hyper-?v/i, 'hyperv'],
  [/parallels/i, 'parallels'],
  [/qemu/i, 'qemu'],
  [/docker/i, 'docker'],
  [/utm/i, 'utm'],
];

/** The provider that a file is likely for, by its name; empty where it does not tell. */
export function providerOfFile(name: string): string {
  return signs.find(([sign]) => sign.test(name))?.[1] ?? '';
}
