/** The wizard's suggestions, which you can overwrite. */
import { compareVersions } from '@gatehouse/api-types/console/box-values';

/** The next patch, minor and major version. None for other formats. */
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
        // A prerelease is followed by its release.
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

/** Guesses the provider from a file name; empty if unknown. */
export function providerOfFile(name: string): string {
  return signs.find(([sign]) => sign.test(name))?.[1] ?? '';
}

/** Other names for architectures of `vagrant`. */
const aliases: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  'x86-64': 'amd64',
  x64: 'amd64',
  aarch64: 'arm64',
  i686: 'i386',
  i586: 'i386',
  i486: 'i386',
  x86: 'i386',
  armhf: 'arm',
  armv7: 'arm',
  armv7l: 'arm',
};

const architectureInName =
  /(?<![a-z0-9])(amd64|x86[_-]64|x64|arm64|aarch64|i[3-6]86|x86|armhf|armv7l?|arm|riscv64|ppc64le|ppc64|s390x|mips64le|mips64|mipsle|mips)(?![a-z0-9])/i;

/** An architecture's name in `vagrant`. */
export function architectureNamed(name: string): string {
  return aliases[name.toLowerCase()] ?? name;
}

/** Guesses the architecture from a file name; empty if unknown. */
export function architectureOfFile(name: string): string {
  const [, found = ''] = architectureInName.exec(name) ?? [];
  return architectureNamed(found.toLowerCase());
}
