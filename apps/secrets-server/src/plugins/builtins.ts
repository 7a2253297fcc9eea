import { version } from '../core/version.ts';
import type { PluginKey, PluginType } from '../domain/plugin/plugin.ts';

/** Version of what is part of this server. */
export const builtinVersion = `v${version}+builtin.gatehouse`;

/** What is part of this server, in order. An engine that may be mounted is one line here. */
export const builtins: readonly PluginKey[] = [
  { type: 'auth', name: 'token', version: builtinVersion },
  { type: 'auth', name: 'userpass', version: builtinVersion },
  { type: 'secret', name: 'cloud', version: builtinVersion },
  { type: 'secret', name: 'kv', version: builtinVersion },
];

/** What is built in under the name. */
export function builtinOf(type: PluginType, name: string): PluginKey | undefined {
  return builtins.find((builtin) => builtin.type === type && builtin.name === name);
}
