export const pluginTypes = ['auth', 'database', 'secret'] as const;
export type PluginType = (typeof pluginTypes)[number];

/** Identifies a plugin in the catalog. */
export interface PluginKey {
  readonly type: PluginType;
  readonly name: string;
  /** `vX.Y.Z`; empty for a registration without a version. */
  readonly version: string;
}

/** A registered plugin. This server stores registrations but runs no plugins. */
export interface Plugin extends PluginKey {
  /** The hash of the file or OCI image, as registered: lower-case hex of any length. */
  readonly sha256: string;
  /** The program's name in the plugin directory or the image; empty for the image's own entry point. */
  readonly command: string;
  readonly args: readonly string[];
  /** Entries `key=value`, which may contain secrets. */
  readonly env: readonly string[];
  /** Empty for a plugin that is a file. */
  readonly ociImage: string;
  readonly runtime: string;
}

/**
 * A plugin's state: part of the server; a file with the registered hash, which this server can't run; a file with a
 * different hash; no executable file.
 */
export type PluginState = 'builtin' | 'unsupported' | 'mismatch' | 'missing';

/** What a check of a plugin's file found. */
export interface PluginCheck {
  readonly state: PluginState;
  /** Why the plugin can't run; empty for a built-in plugin. */
  readonly why: string;
  /** Undefined without a file or a plugin directory. */
  readonly file?: {
    /** Where it is, or should be. */
    readonly path: string;
    /** Of its current content, in lower-case hex; undefined if it can't be read. */
    readonly sha256?: string;
  };
}

export function isPluginType(text: string): text is PluginType {
  return pluginTypes.some((type) => type === text);
}

/** Names a plugin for messages: `plugin "aws" v1.2.0`. */
export function pluginInWords({ name, version }: Pick<PluginKey, 'name' | 'version'>): string {
  return `plugin "${name}"${version === '' ? '' : ` ${version}`}`;
}
