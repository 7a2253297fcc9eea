import { version } from '../core/version.ts';
import type { PluginKey, PluginType } from '../domain/plugin/plugin.ts';

/** The version of all built-in plugins. */
export const builtinVersion = `v${version}+builtin.gatehouse`;

/** The built-in plugins, in order. Each engine that can be mounted has one entry. */
export const builtins: readonly PluginKey[] = [
  { type: 'auth', name: 'token', version: builtinVersion },
  { type: 'auth', name: 'userpass', version: builtinVersion },
  { type: 'secret', name: 'cloud', version: builtinVersion },
  { type: 'secret', name: 'kv', version: builtinVersion },
];

/** Finds a built-in plugin by name. */
export function builtinOf(type: PluginType, name: string): PluginKey | undefined {
  return builtins.find((builtin) => builtin.type === type && builtin.name === name);
}
