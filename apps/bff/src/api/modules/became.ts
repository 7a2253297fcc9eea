/** Finds out whether changes at the module registry with lost answers were made, by reading the registry once. */
import type { DeprecationFields, Module, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { leeway, ifOwn, type Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import type { WhatBecame } from '#operation/operation.ts';
import { listTokens } from '#upstreams/module-registry/management.ts';
import { readModule, readVersion } from '#upstreams/module-registry/modules.ts';
import type { VersionPlace } from '#upstreams/module-registry/resources.ts';
import { modulesCaller } from './caller.ts';
import { isSaid } from './is-said.ts';

/** Whether the caller published a version. */
export const published: WhatBecame = async (context, call, intent, { params }) => {
  const caller = await modulesCaller(context, call);
  const found = await readVersion(caller, placeOf(params));
  if (found === null) return ifOwn(intent, call, 'failed');
  const { version } = found;
  // A version that is older than the intent is the reason why this one was refused.
  if (Date.parse(version.published_time) < intent.time - leeway) return { outcome: 'failed' };
  return outcome(version.owner === caller.username ? 'succeeded' : 'unknown', intent, version);
};

/** Whether a version has the requested deprecation, or none if it was to be removed. */
export const said: WhatBecame = async (context, call, intent, { params, body, revision }) => {
  const found = await readVersion(await modulesCaller(context, call), placeOf(params));
  if (found === null) return { outcome: 'unknown' };
  const { version } = found;
  if (version.revision === revision) return outcome('failed', intent, version);
  const wanted = 'state' in body ? (body as DeprecationFields) : null;
  return outcome(isSaid(version, wanted) ? 'succeeded' : 'unknown', intent, version);
};

/** Whether a version was deleted. */
export const deleted: WhatBecame = async (context, call, intent, { params }) => {
  const found = await readVersion(await modulesCaller(context, call), placeOf(params));
  return found === null ? ifOwn(intent, call, 'succeeded') : { outcome: 'failed' };
};

/** Whether a module's verification is as requested. */
export const verified: WhatBecame = async (context, call, intent, { params, body }) => {
  const found = await readModule(await modulesCaller(context, call), placeOf(params));
  if (found === null) return { outcome: 'unknown' };
  const { module } = found;
  return outcome(module.verified === body['verified'] ? 'succeeded' : 'failed', intent, module);
};

/** Whether a token was revoked. */
export const revoked: WhatBecame = async (context, call, intent, { params }) => {
  const tokens = await listTokens(await modulesCaller(context, call));
  if (tokens === null) return { outcome: 'unknown' };
  const isListed = tokens.some(({ id }) => id === params['id']);
  return isListed ? { outcome: 'failed' } : ifOwn(intent, call, 'succeeded');
};

function placeOf({ namespace = '', name = '', provider = '', version = '' }: Wish['params']): VersionPlace {
  return { namespace, name, provider, version };
}

/** The outcome, with the record's current revision unless the outcome is unknown. */
function outcome(
  decided: Became['outcome'],
  { resource_id: id }: Parameters<WhatBecame>[2],
  { revision }: Pick<Module | ModuleVersion, 'revision'>,
): Became {
  return decided === 'unknown' ? { outcome: decided } : { outcome: decided, stored: { id, revision } };
}
