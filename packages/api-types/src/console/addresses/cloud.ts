/** Cloud credentials engines of the secrets server: root credentials, leases, roles, and what roles issue. */
import { addresses } from './address.ts';
import { recordAddresses } from './collection.ts';

const engines = '/api/environments/:environment/secrets/cloud';
const engine = `${engines}/:mount` as const;
const roles = `${engine}/roles` as const;
const role = `${roles}/:role` as const;

export const cloudEngines = addresses('cloudEngines', {
  list: { method: 'GET', path: engines },
  mount: { method: 'POST', path: engines, audit: 'cloud-engine.mount' },
  /** Looks actions of policies up; changes nothing. */
  checkActions: { method: 'POST', path: `${engines}/actions`, audit: false },
  getRoot: { method: 'GET', path: `${engine}/root` },
  /** Overwrites the previous keys, which can't be read; harmless if there were none. */
  updateRoot: { method: 'PUT', path: `${engine}/root`, audit: 'cloud-engine.update-root', harm: 'destroys' },
  rotateRoot: {
    method: 'POST',
    path: `${engine}/root/rotate`,
    audit: 'cloud-engine.rotate-root',
    harm: 'final',
  },
  unmount: { method: 'DELETE', path: engine, audit: 'cloud-engine.unmount', harm: 'destroys' },
  getLease: { method: 'GET', path: `${engine}/lease` },
  updateLease: { method: 'PUT', path: `${engine}/lease`, audit: 'cloud-engine.update-lease' },
});

/** A role decides what users who can request its credentials may do at the provider. */
export const cloudRoles = {
  ...recordAddresses('cloudRoles', 'cloud-role', roles, {
    id: 'role',
    harms: { create: 'rights', update: 'rights' },
  }),
  ...addresses('cloudRoles', { list: { method: 'GET', path: roles } }),
};

export const cloudCredentials = addresses('cloudCredentials', {
  generate: { method: 'POST', path: `${role}/credentials`, audit: 'cloud-credential.generate' },
});

export const cloudLeases = addresses('cloudLeases', {
  list: { method: 'GET', path: `${role}/leases` },
  renew: { method: 'POST', path: `${role}/leases/renew`, audit: 'cloud-lease.renew' },
  revoke: { method: 'POST', path: `${role}/leases/revoke`, audit: 'cloud-lease.revoke', harm: 'final' },
  revokeAll: {
    method: 'POST',
    path: `${role}/leases/revoke-all`,
    audit: 'cloud-lease.revoke-all',
    harm: 'final',
  },
});
