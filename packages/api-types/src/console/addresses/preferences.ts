import { addresses } from './address.ts';

/** Largest value, in bytes of JSON text. */
export const preferenceLimitBytes = 16 * 1024;

export const preferences = addresses('preferences', {
  get: { method: 'GET', path: '/api/preferences' },
  put: { method: 'PUT', path: '/api/preferences/:key', audit: false },
});
