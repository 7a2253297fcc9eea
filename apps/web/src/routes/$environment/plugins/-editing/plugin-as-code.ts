/** Registrations as commands, requests and Terraform blocks, and as blocks of the server's configuration file. */
import type { PluginKey } from '@gatehouse/api-types/console/plugin-values';
import type { Plugin, PluginFields } from '@gatehouse/api-types/console/plugins';
import {
  curlCommand,
  hclBlock,
  hclName,
  shellCommand,
  shellWord,
  type CodeForms,
  type HclValue,
} from '#components/form/as-code.ts';

const variables = { addressVariable: 'VAULT_ADDR', tokenVariable: 'VAULT_TOKEN' } as const;

/** The names of environment entries. Their values are secrets, so they are never included. */
function namesOf(env: readonly string[] = []): readonly string[] {
  return env.map((entry) => entry.slice(0, entry.indexOf('=')));
}

/** Code that registers a plugin; running it again with other fields replaces the registration. */
export function pluginAsCode({ type, name, version }: PluginKey, fields: PluginFields): CodeForms {
  const { sha256, command, args, oci_image: image, runtime } = fields;
  const names = namesOf(fields.env);
  const set = (flag: string, value: string): readonly string[] =>
    value === '' ? [] : [`-${flag}=${shellWord(value)}`];
  const some = (key: string, value: string) => (value === '' ? {} : { [key]: value });
  const block: Record<string, HclValue> = {
    type,
    name: name === '' ? '…' : name,
    version: version || null,
    oci_image: image || null,
    runtime: runtime || null,
    command: command || null,
    sha256: sha256 || null,
    args: args.length === 0 ? null : args,
    env:
      names.length === 0
        ? null
        : { expression: `[${names.map((key) => `"${key}=\${var.${hclName(key)}}"`).join(', ')}]` },
  };
  return {
    cli: shellCommand('vault plugin register', [
      ...set('version', version),
      ...set('oci_image', image),
      ...set('runtime', runtime),
      ...set('sha256', sha256),
      ...set('command', command),
      ...args.map((arg) => `-args=${shellWord(arg)}`),
      ...names.map((key) => `-env="${key}=$${key}"`),
      `${type} ${shellWord(name === '' ? '…' : name)}`,
    ]),
    http: curlCommand({
      ...variables,
      method: 'POST',
      path: catalogPath({ type, name }),
      body: {
        ...some('version', version),
        ...some('oci_image', image),
        ...some('runtime', runtime),
        ...some('sha256', sha256),
        ...some('command', command),
        ...(args.length > 0 && { args }),
        ...(names.length > 0 && { env: names.map((key) => `${key}=<${key}>`) }),
      },
    }),
    terraform: hclBlock('resource', ['vault_plugin', hclName(name === '' ? 'this' : name)], block),
  };
}

function catalogPath({ type, name }: Pick<PluginKey, 'type' | 'name'>): string {
  return `/v1/sys/plugins/catalog/${type}/${name === '' ? '…' : encodeURIComponent(name)}`;
}

/** The block that declares a plugin in the server's configuration file. */
export function pluginStanza(
  plugin: Pick<Plugin, 'type' | 'name' | 'version' | 'sha256' | 'command' | 'oci_image' | 'args'>,
): string {
  const { type, name, version, sha256, command, oci_image: image, args } = plugin;
  return hclBlock('plugin', [type, name], {
    image: image || null,
    version: version || null,
    [image === '' ? 'command' : 'binary_name']: command || null,
    sha256sum: sha256 || null,
    args: args.length === 0 ? null : args,
  });
}
