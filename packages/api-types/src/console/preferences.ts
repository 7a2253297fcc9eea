/** A user's settings (theme, columns, density), stored on the server. They aren't records: the last write wins. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/preferences.ts';
import { atMost } from './at-most.ts';

/** For example `theme` or `grid.targets`. */
export const preferenceKey = z.string().check(atMost(64), z.regex(/^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*$/));

export const preferences = defineResource(() => ({
  get: defineEndpoint(at.preferences.get, {
    summary: 'All your preferences',
    response: z.object({ preferences: z.record(z.string(), z.unknown()) }),
    errors: ['unauthenticated'],
  }),
  put: defineEndpoint(at.preferences.put, {
    summary: 'Set one preference',
    params: z.strictObject({ key: preferenceKey }),
    body: z.strictObject({ value: z.unknown() }),
    errors: ['unauthenticated', 'invalid-request', 'payload-too-large'],
  }),
}));
