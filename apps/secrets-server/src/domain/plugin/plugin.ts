/** What plugins are for. */
export const pluginTypes = ['auth', 'database', 'secret'] as const;
export type PluginType = (typeof pluginTypes)[number];

/** What a plugin of the catalog is found by. */
export interface PluginKey {
  readonly type: PluginType;
  readonly name: string;
  /** `vX.Y.Z`; empty of one that was registered without. */
  readonly version: string;
}

/** A registered plugin. This server keeps it and runs none. */
export interface Plugin extends PluginKey {
  /** Of the file, or of the OCI image; lower-case hex as it was registered, of whatever length. */
  readonly sha256: string;
  /** The program's name in the plugin directory, or in the image; empty where the image's own is meant. */
  readonly command: string;
  readonly args: readonly string[];
  /** `key=value`, which may be secret. */
  readonly env: readonly string[];
  /** Empty when the plugin is a file. */
  readonly ociImage: string;
  readonly runtime: string;
}

/**
 * What became of a plugin: it is part of the server; its file is as registered, but this server runs none; its file is
 * another one; there is no file that could be run.
 */
export type PluginState = 'builtin' | 'unsupported' | 'mismatch' | 'missing';

/** Whether there is such a type. */
export function isPluginType(text: string): text is PluginType {
  return pluginTypes.some((type) => type === text);
}

/** A plugin in words: `plugin "aws" v1.2.0`. */
export function pluginInWords({ name, version }: Pick<PluginKey, 'name' | 'version'>): string {
  return `plugin "${name}"${version === '' ? '' : ` ${version}`}`;
}
