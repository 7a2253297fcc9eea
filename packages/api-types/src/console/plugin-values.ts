/** Values for lists of plugins, without the schemas. */

export const pluginTypes = ['auth', 'database', 'secret'] as const;
export type PluginType = (typeof pluginTypes)[number];

/** Identifies a registration; a plugin can have several versions. */
export interface PluginKey {
  readonly type: PluginType;
  readonly name: string;
  /** `v1.2.3`; empty for a registration without a version. */
  readonly version: string;
}

/** The text form of a registration: `secret/mine`, or `secret/mine@v1.2.3`. */
export function pluginIdOf({ type, name, version }: PluginKey): string {
  return version === '' ? `${type}/${name}` : `${type}/${name}@${version}`;
}

/** Parses the result of {@link pluginIdOf}; undefined for any other text. */
export function pluginKeyOf(id: string): PluginKey | undefined {
  const [, word, name, version = ''] =
    /^(auth|database|secret)\/(.+?)(?:@(v\d+\.\d+\.\d+(?:[^\d@/][^@/]*)?))?$/.exec(id) ?? [];
  const type = pluginTypes.find((known) => known === word);
  return type === undefined || name === undefined ? undefined : { type, name, version };
}

/** A version in the servers' form, with a `v`; empty stays empty. */
export function writtenVersion(version: string): string {
  return version === '' || version.startsWith('v') ? version : `v${version}`;
}

/** The revision of a version choice: a pin or a mount's setting; empty if none is chosen. */
export function revisionOfVersion(version: string): string {
  return version === '' ? 'none' : version;
}

/** Whether a version belongs to a built-in plugin: `v1.2.3+builtin.vault`. */
export function isBuiltinVersion(version: string): boolean {
  return /^[^+]*\+.*builtin/.test(version);
}
