import { canary, type RecordedCall } from './recorded-call.ts';

const place = { name: canary, description: canary };

/** Recorded calls of the access controller. */
export const accessCalls = {
  'targets.create': {
    paths: ['scope_id', 'type', 'name', 'description'],
    body: { scope_id: 'p_1234567890', type: 'ssh', ...place },
  },
  'targets.update': { record: 'none', paths: ['description'], body: { description: canary } },
  'targets.delete': { record: 'none' },
  'targets.changeHostSources': {
    record: 'none',
    paths: ['action', 'host_source_ids'],
    body: { action: 'add', host_source_ids: [canary] },
  },
  'targets.changeCredentialSources': {
    record: 'none',
    paths: ['action', 'brokered_credential_source_ids'],
    body: { action: 'add', brokered_credential_source_ids: [canary] },
  },
  'hostCatalogs.create': {
    paths: ['scope_id', 'name', 'description'],
    body: { scope_id: 'p_1234567890', ...place },
  },
  'hostCatalogs.update': { record: 'none', paths: ['description'], body: { description: canary } },
  'hostCatalogs.delete': { record: 'none' },
  'hostSets.create': {
    paths: ['host_catalog_id', 'name', 'description'],
    body: { host_catalog_id: 'hcst_1', ...place },
  },
  'hostSets.update': { record: 'none', paths: ['description'], body: { description: canary } },
  'hostSets.delete': { record: 'none' },
  'hostSets.changeHosts': {
    record: 'none',
    paths: ['action', 'host_ids'],
    body: { action: 'add', host_ids: [canary] },
  },
  'hosts.create': {
    paths: ['host_catalog_id', 'attributes.address'],
    body: { host_catalog_id: 'hcst_1', attributes: { address: `${canary}.example` } },
  },
  'hosts.update': { record: 'none', paths: ['description'], body: { description: canary } },
  'hosts.delete': { record: 'none' },
  'credentialStores.create': {
    paths: ['scope_id', 'name', 'description', 'type'],
    body: { scope_id: 'p_1234567890', type: 'static', ...place },
  },
  'credentialStores.update': {
    record: 'none',
    paths: ['description', 'attributes.token', 'attributes.client_certificate_key'],
    body: {
      description: canary,
      attributes: { token: canary, client_certificate_key: `${canary}PRIVATE KEY-----` },
    },
  },
  'credentialStores.delete': { record: 'none' },
  'credentials.create': {
    paths: ['credential_store_id', 'type', 'attributes.username', 'attributes.password'],
    body: {
      credential_store_id: 'csst_1',
      type: 'username_password',
      attributes: { username: canary, password: canary },
    },
  },
  'credentials.update': {
    record: 'none',
    paths: ['attributes.password', 'attributes.object'],
    body: { attributes: { password: canary, object: `{"x":"${canary}"}` } },
  },
  'credentials.delete': { record: 'none' },
  'credentialLibraries.create': {
    paths: ['credential_store_id', 'type', 'attributes.path'],
    body: {
      credential_store_id: 'clvlt_1',
      type: 'vault-generic',
      attributes: { path: `secret/data/${canary}` },
    },
  },
  'credentialLibraries.update': { record: 'none', paths: ['description'], body: { description: canary } },
  'credentialLibraries.delete': { record: 'none' },
  'accessSessions.authorize': { record: 'none', paths: ['host_id'], body: { host_id: canary } },
  'accessSessions.authorizeByName': { paths: ['name', 'scope_id'], body: { name: 'db', scope_id: canary } },
  'accessSessions.cancel': { record: 'none' },
} as const satisfies Readonly<Record<string, RecordedCall>>;
