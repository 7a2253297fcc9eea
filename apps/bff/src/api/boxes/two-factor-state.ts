import type { WhatBecame } from '#operation/operation.ts';
import { readTwoFactor } from '#upstreams/box-registry/management.ts';
import { boxesCaller } from './caller.ts';

/** Whether the second factor is on, or off, as it was wished. */
export function hasTwoFactor(wanted: boolean): WhatBecame {
  return async (context, call) => {
    const state = await readTwoFactor(await boxesCaller(context, call));
    if (state === null) return { outcome: 'unknown' };
    return { outcome: state.enabled === wanted ? 'succeeded' : 'failed' };
  };
}
