/** What lists of plugins need, without the schemas. */

export const pluginTypes = ['auth', 'database', 'secret'] as const;
export type PluginType = (typeof pluginTypes)[number];

/** What tells registrations apart: several versions of one plugin stand beside each other. */
export interface PluginKey {
  readonly type: PluginType;
  readonly name: string;
  /** `v1.2.3`; empty for a registration without a version. */
  readonly version: string;
}

/** One text for a registration: `secret/mine`, or `secret/mine@v1.2.3`. */
export function pluginIdOf({ type, name, version }: PluginKey): string {
  return version === '' ? `${type}/${name}` : `${type}/${name}@${version}`;
}

/** Reads what {@link pluginIdOf} writes; undefined for any other text. */
export function pluginKeyOf(id: string): PluginKey | undefined {
  const [, word, name, version = ''] =
    /^(auth|database|secret)\/(.+?)(?:@(v\d+\.\d+\.\d+[^@/]*))?$/.exec(id) ?? [];
  const type = pluginTypes.find((known) => known === word);
  return type === undefined || name === undefined ? undefined : { type, name, version };
}

/** A version as servers write it, with a `v`; empty stays empty. */
export function writtenVersion(version: string): string {
  return version === '' || version.startsWith('v') ? version : `v${version}`;
}

/** The revision of what a version is chosen for, a pin or the setting of a mount; empty for none. */
export function revisionOfVersion(version: string): string {
  return version === '' ? 'none' : version;
}

/** Whether a version says that it is part of the server: `v1.2.3+builtin.vault`. */
export function isBuiltinVersion(version: string): boolean {
  return /\+.*builtin/.test(version);
}
