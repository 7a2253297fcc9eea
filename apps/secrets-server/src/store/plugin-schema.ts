import type { PluginType } from '../domain/plugin/plugin.ts';

/** A registered plugin. */
export interface PluginTable {
  type: PluginType;
  name: string;
  /** Empty when it has none. */
  version: string;
  /** Sealed JSON of the rest: arguments and environment may be secret. */
  sealed: Uint8Array;
}

/** The version that all mounts of a plugin run. */
export interface PluginPinTable {
  type: PluginType;
  name: string;
  version: string;
}

/** The tables of the plugin catalog. */
export interface PluginSchema {
  plugin: PluginTable;
  plugin_pin: PluginPinTable;
}

/** SQL of the tables of the plugin catalog. */
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
