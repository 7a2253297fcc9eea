/** Providers by their names in `vagrant`, the most used first. Registries accept any other name too. */
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

/** Architectures by their names in `vagrant`, the most used first. */
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
