/** The secrets server: engines, folders, secrets, their versions and metadata. */
import { addresses } from './address.ts';

const server = '/api/environments/:environment/secrets';
const mount = `${server}/mounts/:mount` as const;
const secret = `${mount}/secrets/:path` as const;
const metadata = `${mount}/metadata/:path` as const;

export const secrets = addresses('secrets', {
  listFolder: { method: 'GET', path: `${mount}/folder` },
  getCapabilities: { method: 'GET', path: `${mount}/capabilities` },
  get: { method: 'GET', path: secret },
  create: { method: 'POST', path: secret, audit: 'secret.create' },
  update: { method: 'PUT', path: secret, audit: 'secret.update' },
  patch: { method: 'PATCH', path: secret, audit: 'secret.patch' },
  restore: { method: 'POST', path: `${secret}/restore`, audit: 'secret.restore' },
  reveal: { method: 'POST', path: `${secret}/reveal`, audit: 'secret.reveal', reads: true },
  compare: { method: 'POST', path: `${secret}/compare`, audit: 'secret.compare', reads: true },
  compareEnvironments: {
    method: 'POST',
    path: `${secret}/compare-environments`,
    audit: 'secret.compare-environments',
    reads: true,
  },
  delete: { method: 'DELETE', path: secret, audit: 'secret.delete', harm: 'stops' },
  deleteVersions: {
    method: 'POST',
    path: `${secret}/delete-versions`,
    audit: 'secret.delete-versions',
    harm: 'stops',
  },
  undeleteVersions: { method: 'POST', path: `${secret}/undelete`, audit: 'secret.undelete' },
  destroyVersions: { method: 'POST', path: `${secret}/destroy`, audit: 'secret.destroy', harm: 'destroys' },
  deleteForever: {
    method: 'POST',
    path: `${secret}/delete-forever`,
    audit: 'secret.delete-forever',
    harm: 'destroys',
  },
});

export const secretScans = addresses('secretScans', {
  search: { method: 'GET', path: `${mount}/search` },
  recycleBin: { method: 'GET', path: `${mount}/recycle-bin` },
  findValue: { method: 'POST', path: `${mount}/find-value`, audit: 'secret.find-value', reads: true },
});

export const secretTransfers = addresses('secretTransfers', {
  transfer: { method: 'POST', path: `${server}/transfer`, audit: 'secret.transfer', harm: 'destroys' },
  export: { method: 'POST', path: `${mount}/export`, audit: 'secret.export', reads: true, harm: 'discloses' },
  previewImport: {
    method: 'POST',
    path: `${mount}/import-preview`,
    audit: 'secret.preview-import',
    reads: true,
  },
  import: { method: 'POST', path: `${mount}/import`, audit: 'secret.import' },
});

export const secretMetadata = addresses('secretMetadata', {
  listDates: { method: 'GET', path: `${server}/dates` },
  get: { method: 'GET', path: metadata },
  update: { method: 'PUT', path: metadata, audit: 'secret-metadata.update', harm: 'destroys' },
  patch: { method: 'PATCH', path: metadata, audit: 'secret-metadata.patch', harm: 'destroys' },
});

export const secretEngines = addresses('secretEngines', {
  list: { method: 'GET', path: `${server}/mounts` },
  mount: { method: 'POST', path: `${server}/mounts`, audit: 'secret-engine.mount' },
  get: { method: 'GET', path: `${mount}/settings` },
  update: { method: 'PUT', path: `${mount}/settings`, audit: 'secret-engine.update', harm: 'destroys' },
  unmount: { method: 'DELETE', path: `${mount}/settings`, audit: 'secret-engine.unmount', harm: 'destroys' },
});
