import type { Plugin, PluginState } from '../../domain/plugin/plugin.ts';
import type { Listed } from '../../plugins/catalog.ts';

/** A plugin as reading it tells. The environment is not told; `state` is this server's own. */
export function pluginWire(
  { key, registered }: Listed,
  state: PluginState,
): Readonly<Record<string, unknown>> {
  return {
    args: registered?.args ?? null,
    builtin: registered === undefined,
    command: registered?.command ?? '',
    declarative: false,
    ...(registered === undefined && { deprecation_status: 'supported' }),
    name: key.name,
    oci: (registered?.ociImage ?? '') !== '',
    ...imageWire(registered),
    sha256: registered?.sha256 ?? '',
    state,
    version: key.version,
  };
}

/** A plugin as a row of the whole catalog. */
export function detailedWire({ key, registered }: Listed): Readonly<Record<string, unknown>> {
  return {
    builtin: registered === undefined,
    ...(registered === undefined ? { deprecation_status: 'supported' } : { sha256: registered.sha256 }),
    name: key.name,
    ...imageWire(registered),
    type: key.type,
    version: key.version,
  };
}

function imageWire(plugin: Plugin | undefined): Readonly<Record<string, unknown>> {
  if (plugin === undefined) return {};
  const { ociImage, runtime } = plugin;
  return { ...(ociImage !== '' && { oci_image: ociImage }), ...(runtime !== '' && { runtime }) };
}
