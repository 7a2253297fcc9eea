/** Providers as `vagrant` calls them, the most used first. A registry takes any other name too. */
export const knownProviders = [
  'virtualbox',
  'libvirt',
  'vmware_desktop',
  'hyperv',
  'parallels',
  'qemu',
  'docker',
  'utm',
] as const;

/** Architectures as `vagrant` calls them, the most used first. */
export const knownArchitectures = [
  'amd64',
  'arm64',
  'i386',
  'arm',
  'ppc64le',
  's390x',
  'riscv64',
  'mips64le',
] as const;
