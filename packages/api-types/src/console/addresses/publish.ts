/** Publishing a version of a box: runs, and image uploads to the registry. */
import { addresses } from './address.ts';

const environment = '/api/environments/:environment';
const runs = `${environment}/publish-runs` as const;
const run = `${runs}/:run` as const;
const provider = `${run}/providers/:provider` as const;

export const publishRuns = addresses('publishRuns', {
  list: { method: 'GET', path: runs },
  get: { method: 'GET', path: run },
  create: { method: 'POST', path: runs, audit: 'publish-run.create' },
  update: { method: 'PUT', path: run, audit: 'publish-run.update' },
  publishBox: { method: 'POST', path: `${run}/box`, audit: 'publish-run.box', harm: 'rights' },
  publishVersion: { method: 'POST', path: `${run}/version`, audit: 'publish-run.version' },
  publishProvider: { method: 'POST', path: provider, audit: 'publish-run.provider', harm: 'destroys' },
  release: { method: 'POST', path: `${run}/release`, audit: 'publish-run.release', harm: 'final' },
  abandon: { method: 'POST', path: `${run}/abandon`, audit: 'publish-run.abandon' },
});

export const publishUploads = addresses('publishUploads', {
  begin: { method: 'POST', path: `${provider}/upload`, audit: 'publish-upload.create', harm: 'destroys' },
  cancel: { method: 'DELETE', path: `${provider}/upload`, audit: 'publish-upload.cancel' },
  deliver: {
    method: 'POST',
    path: `${provider}/upload/deliver`,
    audit: 'publish-upload.deliver',
    harm: 'destroys',
  },
  find: { method: 'GET', path: `${environment}/publish-uploads` },
});
