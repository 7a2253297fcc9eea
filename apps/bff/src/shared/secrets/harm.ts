/** What a call can do to secrets, where that depends on what is stored. What can't be read counts as the worst. */
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { Harm } from '@gatehouse/api-types/console/harm';
import { harmOfEngine, harmOfMove, lostVersions } from '@gatehouse/api-types/console/harm-of';
import type { BodyOf } from '@gatehouse/api-types/contract';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { secretsCaller } from './caller.ts';
import { readSecretEngine } from './engine.ts';
import { readSecretMetadata } from './metadata.ts';
import { orDenied } from './stored-secret.ts';

interface CallOf<Params, Body> extends ServiceCall {
  readonly params: Params & { readonly environment: string };
  readonly body: Body;
}

/** Keeping fewer versions of a secret deletes the oldest. */
export async function harmOfLimits(
  context: Context,
  call: CallOf<Place, { readonly max_versions?: number | undefined }>,
): Promise<Harm | undefined> {
  const { max_versions: after } = call.body;
  if (after === undefined) return undefined;
  const place = { mount: call.params.mount, path: call.params.path };
  const caller = await secretsCaller(context, call);
  const [stored, engine] = await Promise.all([
    orDenied(readSecretMetadata(caller, place)),
    orDenied(readSecretEngine(caller, place.mount)),
  ]);
  if (stored === 'denied') return 'destroys';
  if (stored === null) return undefined;
  const kept = engine === 'denied' ? null : engine.max_versions;
  return lostVersions(stored.versions, stored.max_versions, after, kept).length > 0 ? 'destroys' : undefined;
}

/** The same of an engine. */
export async function harmOfEngineLimits(
  context: Context,
  call: CallOf<{ readonly mount: string }, { readonly max_versions: number }>,
): Promise<Harm | undefined> {
  const stored = await orDenied(readSecretEngine(await secretsCaller(context, call), call.params.mount));
  return stored === 'denied' ? 'destroys' : harmOfEngine(stored.max_versions, call.body.max_versions);
}

/** A move deletes what it can't take along. */
export async function harmOfTransfer(
  context: Context,
  call: CallOf<object, BodyOf<Endpoints['secretTransfers']['transfer']>>,
): Promise<Harm | undefined> {
  const { body } = call;
  if (body.mode === 'copy' || body.kind === 'folder') return harmOfMove(body, null);
  const stored = await orDenied(readSecretMetadata(await secretsCaller(context, call), body.from));
  return harmOfMove(body, stored === 'denied' ? null : (stored?.versions ?? []));
}
