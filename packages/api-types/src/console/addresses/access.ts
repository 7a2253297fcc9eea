/** The access controller: scopes, targets, host and credential sources, sessions, people. */
import { addresses } from './address.ts';
import { collectionAddresses } from './collection.ts';

const access = '/api/environments/:environment/access';

export const scopes = addresses('scopes', { list: { method: 'GET', path: `${access}/scopes` } });

export const targets = {
  ...collectionAddresses('targets', 'target', 'targets', 'scope_id', { update: 'stops' }),
  ...addresses('targets', {
    changeHostSources: {
      method: 'POST',
      path: `${access}/targets/:id/host-sources`,
      audit: 'target.change-host-sources',
    },
    changeCredentialSources: {
      method: 'POST',
      path: `${access}/targets/:id/credential-sources`,
      audit: 'target.change-credential-sources',
    },
  }),
};

export const hostCatalogs = collectionAddresses('hostCatalogs', 'host-catalog', 'host-catalogs', 'scope_id');

export const hostSets = {
  ...collectionAddresses('hostSets', 'host-set', 'host-sets', 'host_catalog_id'),
  ...addresses('hostSets', {
    changeHosts: { method: 'POST', path: `${access}/host-sets/:id/hosts`, audit: 'host-set.change-hosts' },
    search: { method: 'GET', path: `${access}/host-sources` },
  }),
};

export const hosts = collectionAddresses('hosts', 'host', 'hosts', 'host_catalog_id');

export const credentialStores = collectionAddresses(
  'credentialStores',
  'credential-store',
  'credential-stores',
  'scope_id',
  // Depends on whether a token or key is sent.
  { update: 'destroys', delete: 'destroys' },
);

export const credentials = collectionAddresses(
  'credentials',
  'credential',
  'credentials',
  'credential_store_id',
  // Depends on whether a secret is sent.
  { update: 'destroys', delete: 'destroys' },
);

export const credentialLibraries = {
  ...collectionAddresses(
    'credentialLibraries',
    'credential-library',
    'credential-libraries',
    'credential_store_id',
  ),
  ...addresses('credentialLibraries', {
    targetsUsingSecret: { method: 'GET', path: `${access}/targets-using-secret` },
  }),
};

export const credentialSources = addresses('credentialSources', {
  search: { method: 'GET', path: `${access}/credential-sources` },
});

export const accessSessions = addresses('accessSessions', {
  authorize: {
    method: 'POST',
    path: `${access}/targets/:id/authorize-session`,
    audit: 'target.authorize-session',
  },
  authorizeByName: {
    method: 'POST',
    path: `${access}/authorize-session`,
    audit: 'target.authorize-session',
  },
  list: { method: 'GET', path: `${access}/sessions` },
  get: { method: 'GET', path: `${access}/sessions/:id` },
  cancel: { method: 'POST', path: `${access}/sessions/:id/cancel`, audit: 'session.cancel', harm: 'final' },
});

export const people = {
  ...collectionAddresses('people', 'person', 'people', 'environment', {
    create: 'rights',
    update: 'rights',
    delete: 'account',
  }),
  ...addresses('people', {
    resetPassword: {
      method: 'POST',
      path: `${access}/people/:id/reset-password`,
      audit: 'person.reset-password',
      harm: 'account',
    },
    lockOut: {
      method: 'POST',
      path: `${access}/people/:id/lock-out`,
      audit: 'person.lock-out',
      harm: 'rights',
    },
    listTokens: { method: 'GET', path: `${access}/people/:id/tokens` },
    listConsoleSessions: { method: 'GET', path: `${access}/people/:id/console-sessions` },
    endConsoleSessions: {
      method: 'DELETE',
      path: `${access}/people/:id/console-sessions`,
      audit: 'person.end-console-sessions',
      harm: 'stops',
    },
    changeOwnPassword: {
      method: 'POST',
      path: `${access}/own-password`,
      audit: 'person.change-own-password',
    },
  }),
};
