/** What all calls about one plugin share. */
import {
  pluginIdOf,
  pluginKeyOf,
  writtenVersion,
  type PluginKey,
} from '@gatehouse/api-types/console/plugin-values';
import { sha256Of } from '@gatehouse/api-types/console/plugins';
import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import { ProblemError } from '#ground/problem.ts';
import type { ResourceAudit, WhatBecame } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { secretsCaller } from './caller.ts';

/** How the audit trail identifies plugins: by type, name and version. */
export const inPlugins: ResourceAudit = {
  service: 'secrets',
  address: ({ params: { plugin = '' } }) => ({ id: plugin }),
};

/** @throws ProblemError `invalid-request` for an ID that isn't a plugin's */
export function keyOf(id: string): PluginKey {
  const key = pluginKeyOf(id);
  if (key === undefined) {
    throw new ProblemError('invalid-request', "A plugin's ID has the form type/name or type/name@version.");
  }
  return key;
}

/** A new registration's type, name and version, in the servers' notation. */
export function newKeyOf({ type, name, version }: PluginKey): PluginKey {
  return { type, name, version: writtenVersion(version) };
}

/** Fields as they are sent, with the hash in hex. */
export function withHex<Fields extends { readonly sha256?: string | undefined }>(fields: Fields): Fields {
  const { sha256 } = fields;
  return sha256 === undefined || sha256 === '' ? fields : { ...fields, sha256: sha256Of(sha256) ?? sha256 };
}

/** Decides from the call's plugin. */
export function atPlugin(
  decide: (caller: SecretsCaller, key: PluginKey, wish: Wish) => Promise<Became['outcome']>,
): WhatBecame {
  return async (context, call, intent, wish) => {
    const key = keyOf(wish.params['plugin'] ?? intent.resource_id);
    return { outcome: await decide(await secretsCaller(context, call), key, wish) };
  };
}

/** A new registration's address in the audit trail. */
export function newAddress(body: PluginKey): { readonly id: string } {
  return { id: pluginIdOf(newKeyOf(body)) };
}
