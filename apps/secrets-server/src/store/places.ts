/**
 * Names that sealed records are bound to; `open` requires the same name as `seal`. The names belong to this store:
 * other clusters seal their copies under their own names.
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
