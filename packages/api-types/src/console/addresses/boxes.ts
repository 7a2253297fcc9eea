/** The box registry: boxes, versions, providers, the caller's account, organizations. */
import { addresses } from './address.ts';
import { recordAddresses } from './collection.ts';

const registry = '/api/environments/:environment/boxes';
const owner = `${registry}/owners/:username` as const;
const box = `${owner}/boxes/:name` as const;
const version = `${box}/versions/:version` as const;
const tokens = `${registry}/tokens` as const;
const twoFactor = `${registry}/two-factor` as const;
const settings = `${registry}/settings` as const;

export const boxOwners = addresses('boxOwners', { get: { method: 'GET', path: owner } });

export const boxes = {
  ...addresses('boxes', {
    search: { method: 'GET', path: `${registry}/search` },
    downloads: { method: 'GET', path: `${box}/downloads` },
  }),
  ...recordAddresses('boxes', 'box', `${owner}/boxes`, {
    id: 'name',
    harms: { update: 'rights', delete: 'destroys' },
  }),
};

export const boxVersions = {
  ...recordAddresses('boxVersions', 'box-version', `${box}/versions`, {
    id: 'version',
    harms: { update: 'destroys', delete: 'destroys' },
  }),
  ...addresses('boxVersions', {
    release: { method: 'POST', path: `${version}/release`, audit: 'box-version.release', harm: 'final' },
    revoke: { method: 'POST', path: `${version}/revoke`, audit: 'box-version.revoke', harm: 'destroys' },
  }),
};

export const boxProviders = {
  ...recordAddresses('boxProviders', 'box-provider', `${version}/providers`, {
    id: 'provider/:architecture',
    harms: { create: 'reaches', update: 'destroys', delete: 'destroys' },
  }),
  ...addresses('boxProviders', {
    prepareDownload: {
      method: 'POST',
      path: `${version}/providers/:provider/:architecture/download`,
      audit: 'box-provider.download',
      reads: true,
    },
  }),
};

export const boxAccount = addresses('boxAccount', { get: { method: 'GET', path: `${registry}/account` } });

export const boxTokens = addresses('boxTokens', {
  create: { method: 'POST', path: tokens, audit: 'box-token.create' },
  validate: { method: 'POST', path: `${tokens}/validate`, audit: 'box-token.validate', reads: true },
  list: { method: 'GET', path: tokens },
  delete: { method: 'POST', path: `${tokens}/delete`, audit: 'box-token.delete', harm: 'loses' },
});

export const boxTwoFactor = addresses('boxTwoFactor', {
  requestCode: {
    method: 'POST',
    path: '/api/two-factor/request-code',
    anonymous: true,
    audit: 'box-two-factor.request-code',
  },
  begin: { method: 'POST', path: `${twoFactor}/begin`, audit: 'box-two-factor.begin' },
  enable: { method: 'POST', path: `${twoFactor}/enable`, audit: 'box-two-factor.enable' },
  disable: { method: 'POST', path: `${twoFactor}/disable`, audit: 'box-two-factor.disable' },
  reset: { method: 'DELETE', path: `${twoFactor}/:username`, audit: 'box-two-factor.reset', harm: 'account' },
});

export const boxSettings = addresses('boxSettings', {
  get: { method: 'GET', path: settings },
  update: { method: 'PUT', path: settings, audit: 'box-settings.update', harm: 'rights' },
});

export const organizations = {
  ...addresses('organizations', { list: { method: 'GET', path: `${registry}/organizations` } }),
  ...recordAddresses('organizations', 'organization', `${registry}/organizations`, {
    id: 'username',
    harms: { delete: 'account' },
  }),
};

export const organizationMembers = addresses('organizationMembers', {
  add: {
    method: 'POST',
    path: `${registry}/organizations/:username/members`,
    audit: 'organization-member.create',
    harm: 'rights',
  },
  change: {
    method: 'PATCH',
    path: `${registry}/organizations/:username/members/:member`,
    audit: 'organization-member.update',
    harm: 'rights',
  },
  remove: {
    method: 'DELETE',
    path: `${registry}/organizations/:username/members/:member`,
    audit: 'organization-member.delete',
    harm: 'rights',
  },
});
