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
