import { addresses } from './address.ts';

const environment = '/api/environments/:environment';

export const activity = addresses('activity', {
  list: { method: 'GET', path: `${environment}/activity` },
  get: { method: 'GET', path: `${environment}/activity/:sequence` },
  histogram: { method: 'GET', path: `${environment}/activity-histogram` },
  verify: { method: 'GET', path: `${environment}/activity-verification` },
  settle: { method: 'POST', path: `${environment}/activity/:sequence/settle`, audit: 'activity.settle' },
  export: { method: 'GET', path: `${environment}/activity-export`, audit: 'activity.export' },
});
