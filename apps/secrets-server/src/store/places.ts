/**
 * What sealed records are bound to: the same names must be given to open them. They are of this store alone, and a copy
 * elsewhere is sealed under names of its own.
 */
export const places = {
  policy: (namespace: string, name: string): string => `policy/${namespace}\0${name}`,
  plugin: (type: string, name: string, version: string): string => `plugin/${type}\0${name}\0${version}`,
  kvVersion: (keyId: number, version: number): string => `kv/${keyId}/${version}`,
  isKvVersion: (place: string): boolean => place.startsWith('kv/') && !place.endsWith('/custom_metadata'),
  kvNotes: (keyId: number): string => `kv/${keyId}/custom_metadata`,
  cloudConfig: (mountId: number, name: string): string => `cloud_config/${mountId}/${name}`,
  cloudRole: (mountId: number, name: string): string => `cloud_role/${mountId}/${name}`,
};
