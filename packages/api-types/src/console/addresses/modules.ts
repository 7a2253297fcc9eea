/** The module registry: modules, versions, the contents of archives, tokens. */
import { addresses } from './address.ts';

const registry = '/api/environments/:environment/modules';
const module = `${registry}/:namespace/:name/:provider` as const;
const version = `${module}/versions/:version` as const;
const tokens = `${registry}/tokens` as const;

export const modules = addresses('modules', {
  search: { method: 'GET', path: `${registry}/search` },
  get: { method: 'GET', path: module },
  downloads: { method: 'GET', path: `${module}/downloads` },
  consumers: { method: 'GET', path: `${module}/consumers` },
  verify: { method: 'PUT', path: `${module}/verified`, audit: 'module.verify' },
});

export const moduleVersions = addresses('moduleVersions', {
  get: { method: 'GET', path: version },
  locate: { method: 'GET', path: `${version}/location` },
  publish: {
    method: 'POST',
    path: `${version}/publish`,
    audit: 'module-version.publish',
    harm: 'final',
  },
  deprecate: {
    method: 'PUT',
    path: `${version}/deprecation`,
    audit: 'module-version.deprecate',
    harm: 'stops',
  },
  restore: { method: 'POST', path: `${version}/restore`, audit: 'module-version.restore' },
  delete: { method: 'DELETE', path: version, audit: 'module-version.delete', harm: 'destroys' },
});

export const moduleArchives = addresses('moduleArchives', {
  read: { method: 'POST', path: `${registry}/archive`, audit: false },
});

export const moduleTokens = addresses('moduleTokens', {
  list: { method: 'GET', path: tokens },
  create: { method: 'POST', path: tokens, audit: 'module-token.create' },
  revoke: { method: 'DELETE', path: `${tokens}/:id`, audit: 'module-token.revoke', harm: 'loses' },
});
