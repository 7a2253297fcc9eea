/** Performance replication of the secrets server: the roles of clusters, and what each receives. */
import { addresses } from './address.ts';

const cluster = '/api/environments/:environment/secrets/replication';
const one = `${cluster}/secondaries/:secondary` as const;

/** The cluster of the environment in the address. */
export const replication = addresses('replication', {
  getStatus: { method: 'GET', path: cluster },
  listTransitions: { method: 'GET', path: `${cluster}/transitions` },
  listLostWrites: { method: 'GET', path: `${cluster}/lost-writes` },
  /** Also deletes the kept values of those writes. */
  deleteLostWrites: {
    method: 'POST',
    path: `${cluster}/lost-writes/delete`,
    audit: 'replication.delete-lost-writes',
    harm: 'destroys',
  },
  /** The console's last own reading; doesn't contact the service. */
  getLastKnown: { method: 'GET', path: `${cluster}/last-known` },
  getReplicas: { method: 'GET', path: `${cluster}/replicas` },
  compare: { method: 'GET', path: `${cluster}/comparison` },
  getNodes: { method: 'GET', path: `${cluster}/nodes` },
  getReceivedFilter: { method: 'GET', path: `${cluster}/received-filter` },
  writeCanary: { method: 'POST', path: `${cluster}/canary`, audit: 'replication.write-canary' },
  enablePrimary: {
    method: 'POST',
    path: `${cluster}/enable-primary`,
    audit: 'replication.enable-primary',
    harm: 'cluster',
  },
  demote: { method: 'POST', path: `${cluster}/demote`, audit: 'replication.demote', harm: 'cluster' },
  disablePrimary: {
    method: 'POST',
    path: `${cluster}/disable-primary`,
    audit: 'replication.disable-primary',
    harm: 'cluster',
  },
  disableSecondary: {
    method: 'POST',
    path: `${cluster}/disable-secondary`,
    audit: 'replication.disable-secondary',
    harm: 'cluster',
  },
  /** May lose writes if forced. */
  promote: { method: 'POST', path: `${cluster}/promote`, audit: 'replication.promote', harm: 'destroys' },
  /** Another cluster's data replaces this one's. */
  updatePrimary: {
    method: 'POST',
    path: `${cluster}/update-primary`,
    audit: 'replication.update-primary',
    harm: 'wipes',
  },
  /** The environment in the address is the one whose data is deleted. */
  addSecondary: {
    method: 'POST',
    path: `${cluster}/add-secondary`,
    audit: 'replication.add-secondary',
    harm: 'wipes',
  },
});

/** The secondaries of the primary of the environment in the address. */
export const replicationSecondaries = addresses('replicationSecondaries', {
  createToken: {
    method: 'POST',
    path: `${cluster}/activation-tokens`,
    audit: 'replication-secondary.create-token',
    harm: 'copies',
  },
  revoke: { method: 'DELETE', path: one, audit: 'replication-secondary.revoke', harm: 'cluster' },
  getFilter: { method: 'GET', path: `${one}/filter` },
  /** Excluded records are removed from the secondary. */
  saveFilter: {
    method: 'PUT',
    path: `${one}/filter`,
    audit: 'replication-secondary.save-filter',
    harm: 'cluster',
  },
  deleteFilter: {
    method: 'DELETE',
    path: `${one}/filter`,
    audit: 'replication-secondary.delete-filter',
    harm: 'cluster',
  },
  previewFilter: { method: 'POST', path: `${cluster}/filter-preview`, audit: false },
});
