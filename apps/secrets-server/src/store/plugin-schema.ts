import type { PluginType } from '../domain/plugin/plugin.ts';

export interface PluginTable {
  type: PluginType;
  name: string;
  /** Empty for a registration without a version. */
  version: string;
  /** Sealed JSON of the other fields, because arguments and environment may contain secrets. */
  sealed: Uint8Array;
}

/** The version that all mounts of a plugin run. */
export interface PluginPinTable {
  type: PluginType;
  name: string;
  version: string;
}

export interface PluginSchema {
  plugin: PluginTable;
  plugin_pin: PluginPinTable;
}

export const pluginTables = `
      CREATE TABLE plugin (
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (type, name, version)
      ) STRICT;
      CREATE TABLE plugin_pin (
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        PRIMARY KEY (type, name)
      ) STRICT;
`;
