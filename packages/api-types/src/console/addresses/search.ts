import { addresses } from './address.ts';

export const search = addresses('search', {
  find: { method: 'GET', path: '/api/environments/:environment/search' },
});
