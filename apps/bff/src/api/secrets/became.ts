/** What became of changes at the secrets server whose answers were lost: the server is read once. */
import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { idOf, type Place } from '#upstreams/secrets-server/place.ts';
import { secretsCaller } from './caller.ts';
import { readNewestWithoutValues } from './stored-secret.ts';

/** Decides by what is stored at the place of the call. */
export function atPlace(
  decide: (caller: SecretsCaller, place: Place, wish: Wish) => Promise<Became>,
): WhatBecame {
  return async (context, call, _intent, wish) => {
    const { mount = '', path = '' } = wish.params;
    return decide(await secretsCaller(context, call), { mount, path }, wish);
  };
}

/**
 * Whether a version was written. Values that were sent are kept nowhere, so that a version that is there by now may be
 * somebody else's.
 */
export async function written(caller: SecretsCaller, place: Place, { revision }: Wish): Promise<Became> {
  const seen = Number(revision ?? '0');
  const newest = (await readNewestWithoutValues(caller, place))?.version ?? 0;
  return { outcome: newest === seen ? 'failed' : 'unknown' };
}

/** Whether settings were changed. @param isDone whether what is stored is what was sent */
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
