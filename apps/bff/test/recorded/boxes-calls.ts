import { canary, type RecordedCall } from './recorded-call.ts';

/** Calls of the box registry that are recorded. */
export const boxesCalls = {
  'boxes.create': {
    record: 'none/none',
    paths: ['name', 'short_description', 'description', 'is_private'],
    body: { name: 'none', short_description: canary, description: canary, is_private: true },
  },
  'boxes.update': { record: 'none/none', paths: ['description'], body: { description: canary } },
  'boxes.delete': { record: 'none/none' },
  'boxVersions.create': {
    record: 'none/none/1.0.0',
    paths: ['description'],
    body: { version: '1.0.0', description: canary },
  },
  'boxVersions.update': { record: 'none/none/none', paths: ['description'], body: { description: canary } },
  'boxVersions.delete': { record: 'none/none/none' },
  'boxVersions.release': { record: 'none/none/none' },
  'boxVersions.revoke': { record: 'none/none/none' },
  'boxProviders.create': {
    record: 'none/none/none/none',
    paths: ['name', 'url', 'checksum', 'checksum_type'],
    body: {
      name: 'none',
      url: `https://${canary}.example`,
      checksum: '',
      checksum_type: null,
    },
  },
  'boxProviders.update': {
    record: 'none/none/none/none',
    paths: ['url'],
    body: { url: `https://${canary}.example` },
  },
  'boxProviders.delete': { record: 'none/none/none/none' },
  'boxProviders.prepareDownload': { record: 'none/none/none/none' },
  'boxTokens.create': {
    paths: ['password', 'code', 'description'],
    body: { password: canary, code: '123456', description: canary },
  },
  'boxTokens.validate': { paths: ['token'], body: { token: canary } },
  'boxTokens.delete': { paths: ['token'], body: { token: canary } },
  'boxTwoFactor.requestCode': {
    paths: ['environment', 'login_name', 'password', 'delivery_method'],
    body: {
      environment: 'test',
      login_name: 'admin',
      password: canary,
      delivery_method: 'sms',
    },
  },
  'boxTwoFactor.begin': { paths: ['password'], body: { password: canary } },
  'boxTwoFactor.enable': { paths: ['code'], body: { code: '123456' } },
  'boxTwoFactor.disable': { paths: ['password', 'code'], body: { password: canary, code: '123456' } },
  'boxTwoFactor.reset': { record: 'none' },
  'boxSettings.update': { paths: ['organization_creators'], body: { organization_creators: 'operators' } },
  'organizations.create': {
    record: 'none',
    paths: ['username', 'profile'],
    body: { username: 'none', profile: canary },
  },
  'organizations.update': { record: 'none', paths: ['profile'], body: { profile: canary } },
  'organizations.delete': { record: 'none' },
  'organizationMembers.add': {
    record: 'none/none',
    paths: ['username', 'role'],
    body: { username: 'none', role: 'reader' },
  },
  'organizationMembers.change': { record: 'none/none', paths: ['role'], body: { role: 'reader' } },
  'organizationMembers.remove': { record: 'none/none' },
  'publishRuns.create': {
    paths: ['box', 'version.version', 'version.description', 'providers'],
    body: { box: null, version: { version: '1.0.0', description: canary }, providers: [] },
  },
  'publishRuns.update': {
    record: 'pr_none',
    paths: ['box', 'version.version', 'version.description', 'providers'],
    body: { box: null, version: { version: '1.0.0', description: canary }, providers: [] },
  },
  'publishRuns.publishBox': { record: 'pr_none', body: {} },
  'publishRuns.publishVersion': { record: 'pr_none', body: {} },
  'publishRuns.publishProvider': { record: 'pr_none', body: {} },
  'publishRuns.release': { record: 'pr_none' },
  'publishRuns.abandon': { record: 'pr_none' },
  'publishUploads.begin': {
    record: 'pr_none',
    paths: ['name', 'size', 'last_modified', 'fingerprint'],
    body: { name: canary, size: 1, last_modified: 1, fingerprint: 'a'.repeat(64) },
  },
  'publishUploads.cancel': { record: 'pr_none' },
  'publishUploads.deliver': { record: 'pr_none' },
} as const satisfies Readonly<Record<string, RecordedCall>>;
