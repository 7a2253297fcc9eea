/** Finds out whether changes at the secrets server with lost answers were made, by reading the server once. */
import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { idOf, type Place } from '#upstreams/secrets-server/place.ts';
import { secretsCaller } from './caller.ts';
import { readNewestWithoutValues } from './stored-secret.ts';

/** Decides from the stored record at the call's path. */
export function atPlace(
  decide: (caller: SecretsCaller, place: Place, wish: Wish) => Promise<Became>,
): WhatBecame {
  return async (context, call, _intent, wish) => {
    const { mount = '', path = '' } = wish.params;
    return decide(await secretsCaller(context, call), { mount, path }, wish);
  };
}

/** Whether a version was written. Sent values aren't stored in the trail, so a new version may be someone else's. */
export async function written(caller: SecretsCaller, place: Place, { revision }: Wish): Promise<Became> {
  const seen = Number(revision ?? '0');
  const newest = (await readNewestWithoutValues(caller, place))?.version ?? 0;
  return { outcome: newest === seen ? 'failed' : 'unknown' };
}

/** The outcome of a change of settings. @param isDone whether the stored settings are the sent ones */
export function settled(
  stored: { readonly revision: string } | null,
  { revision }: Wish,
  place: Place,
  isDone: boolean,
): Became {
  if (stored === null) return { outcome: 'unknown' };
  if (isDone) return { outcome: 'succeeded', stored: { id: idOf(place), revision: stored.revision } };
  return { outcome: stored.revision === revision ? 'failed' : 'unknown' };
}
