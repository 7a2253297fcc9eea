import { addresses } from './address.ts';

export const preferences = addresses('preferences', {
  get: { method: 'GET', path: '/api/preferences' },
  put: { method: 'PUT', path: '/api/preferences/:key', audit: false },
});
