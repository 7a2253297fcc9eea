import { DatabaseSync } from 'node:sqlite';
import { endpoints, type EndpointName } from '@gatehouse/api-types/console/endpoints';
import type { EndpointDefinition } from '@gatehouse/api-types/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  boundaryController,
  boundaryPassword,
  boundaryTarget,
  type BoundaryController,
} from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole, type TestConsole } from '#test/console.ts';

/** What changes something, and reads that are recorded. */
type Recorded = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { readonly audit: unknown } ? Name : never;
}[EndpointName];

const canary = 'canary-value';
const signIn = {
  environment: 'test',
  service: 'access',
  credentials: { method: 'password', login_name: 'admin', password: canary },
};
const place = { name: canary, description: canary };

const secretSettings = { max_versions: 3, cas_required: true, delete_version_after: '1h' };

/** A body that each operation accepts, with a canary in every value that may be one: a new operation needs one here. */
const bodies: { readonly [Name in Recorded]: object | undefined } = {
  signIn,
  signOut: undefined,
  confirmSession: { secret: canary },
  endSession: undefined,
  endOtherSessions: undefined,
  connect: { credentials: signIn.credentials },
  disconnect: undefined,
  putPreference: { value: canary },
  createTarget: { scope_id: 'p_1234567890', type: 'ssh', ...place },
  updateTarget: { description: canary },
  deleteTarget: undefined,
  changeHostSources: { action: 'add', host_source_ids: [canary] },
  changeCredentialSources: { action: 'add', brokered_credential_source_ids: [canary] },
  createHostCatalog: { scope_id: 'p_1234567890', ...place },
  updateHostCatalog: { description: canary },
  deleteHostCatalog: undefined,
  createHostSet: { host_catalog_id: 'hcst_1', ...place },
  updateHostSet: { description: canary },
  deleteHostSet: undefined,
  changeHostSetHosts: { action: 'add', host_ids: [canary] },
  createHost: { host_catalog_id: 'hcst_1', attributes: { address: `${canary}.example` } },
  updateHost: { description: canary },
  deleteHost: undefined,
  createCredentialStore: { scope_id: 'p_1234567890', type: 'static', ...place },
  updateCredentialStore: {
    description: canary,
    attributes: { token: canary, client_certificate_key: `${canary}PRIVATE KEY-----` },
  },
  deleteCredentialStore: undefined,
  createCredential: {
    credential_store_id: 'csst_1',
    type: 'username_password',
    attributes: { username: canary, password: canary },
  },
  updateCredential: { attributes: { password: canary, object: `{"x":"${canary}"}` } },
  deleteCredential: undefined,
  createCredentialLibrary: {
    credential_store_id: 'clvlt_1',
    type: 'vault-generic',
    attributes: { path: `secret/data/${canary}` },
  },
  updateCredentialLibrary: { description: canary },
  deleteCredentialLibrary: undefined,
  authorizeSession: { host_id: canary },
  authorizeSessionByName: { name: 'db', scope_id: canary },
  cancelAccessSession: undefined,
  createPerson: { login_name: 'somebody', password: canary, roles: {}, email: canary },
  updatePerson: { email: canary },
  deletePerson: undefined,
  resetPassword: { new_password: canary },
  changeOwnPassword: { current_password: canary, new_password: canary },
  settleActivity: undefined,
  exportActivity: undefined,
  revealSecret: { version: 3, fields: ['a'] },
  compareSecret: { value: canary },
  createSecret: { data: `{"a":"${canary}"}` },
  updateSecret: { data: `{"a":"${canary}"}` },
  patchSecret: { data: `{"a":"${canary}"}` },
  restoreSecret: { version: 3 },
  deleteSecret: undefined,
  deleteSecretVersions: { versions: [1, 2] },
  undeleteSecretVersions: { versions: [1, 2] },
  destroySecretVersions: { versions: [1, 2] },
  deleteSecretForever: undefined,
  updateSecretMetadata: { ...secretSettings, custom_metadata: { owner: canary } },
  patchSecretMetadata: { custom_metadata: { owner: canary } },
  updateSecretEngine: secretSettings,
  transferSecrets: {
    kind: 'secret',
    from: { mount: 'none', path: 'none' },
    to: { mount: 'none', path: 'other' },
    mode: 'move',
    versions: 'all',
  },
  exportSecrets: { paths: ['none'] },
  previewSecretImport: { entries: [{ path: 'none', data: `{"a":"${canary}"}` }] },
  importSecrets: { entries: [{ path: 'none', data: `{"a":"${canary}"}`, revision: '0' }] },
  createBox: { name: 'none', short_description: canary, description: canary, is_private: true },
  updateBox: { description: canary },
  deleteBox: undefined,
  createBoxVersion: { version: '1.0.0', description: canary },
  updateBoxVersion: { description: canary },
  deleteBoxVersion: undefined,
  releaseBoxVersion: undefined,
  revokeBoxVersion: undefined,
  createBoxProvider: { name: 'none', url: `https://${canary}.example`, checksum: '', checksum_type: null },
  updateBoxProvider: { url: `https://${canary}.example` },
  deleteBoxProvider: undefined,
  prepareBoxDownload: undefined,
  createBoxToken: { password: canary, code: '123456', description: canary },
  validateBoxToken: { token: canary },
  deleteBoxToken: { token: canary },
  requestTwoFactorCode: {
    environment: 'test',
    login_name: 'admin',
    password: canary,
    delivery_method: 'sms',
  },
  beginTwoFactor: { password: canary },
  enableTwoFactor: { code: '123456' },
  disableTwoFactor: { password: canary, code: '123456' },
  resetTwoFactor: undefined,
  updateBoxSettings: { organization_creators: 'operators' },
  createOrganization: { username: 'none', profile: canary },
  updateOrganization: { profile: canary },
  deleteOrganization: undefined,
  addMember: { username: 'none', role: 'reader' },
  changeMember: { role: 'reader' },
  removeMember: undefined,
  createPublishRun: { box: null, version: { version: '1.0.0', description: canary }, providers: [] },
  updatePublishRun: { box: null, version: { version: '1.0.0', description: canary }, providers: [] },
  publishBox: {},
  publishVersion: {},
  publishProvider: {},
  publishRelease: undefined,
  abandonPublishRun: undefined,
  beginUpload: { name: canary, size: 1, last_modified: 1, fingerprint: 'a'.repeat(64) },
  cancelUpload: undefined,
  deliverUpload: undefined,
};

/** The record that each call is about, and what is said of its body; of the others neither. */
const addresses: { readonly [Name in Recorded]?: readonly [id: string, ...paths: string[]] } = {
  signOut: ['own session'],
  confirmSession: ['own session'],
  endSession: ['none'],
  endOtherSessions: ['own session'],
  connect: ['access'],
  disconnect: ['access'],
  createTarget: ['', 'scope_id', 'type', 'name', 'description'],
  updateTarget: ['none', 'description'],
  deleteTarget: ['none'],
  changeHostSources: ['none', 'action', 'host_source_ids'],
  changeCredentialSources: ['none', 'action', 'brokered_credential_source_ids'],
  createHostCatalog: ['', 'scope_id', 'name', 'description'],
  updateHostCatalog: ['none', 'description'],
  deleteHostCatalog: ['none'],
  createHostSet: ['', 'host_catalog_id', 'name', 'description'],
  updateHostSet: ['none', 'description'],
  deleteHostSet: ['none'],
  changeHostSetHosts: ['none', 'action', 'host_ids'],
  createHost: ['', 'host_catalog_id', 'attributes.address'],
  updateHost: ['none', 'description'],
  deleteHost: ['none'],
  createCredentialStore: ['', 'scope_id', 'name', 'description', 'type'],
  updateCredentialStore: ['none', 'description', 'attributes.token', 'attributes.client_certificate_key'],
  deleteCredentialStore: ['none'],
  createCredential: ['', 'credential_store_id', 'type', 'attributes.username', 'attributes.password'],
  updateCredential: ['none', 'attributes.password', 'attributes.object'],
  deleteCredential: ['none'],
  createCredentialLibrary: ['', 'credential_store_id', 'type', 'attributes.path'],
  updateCredentialLibrary: ['none', 'description'],
  deleteCredentialLibrary: ['none'],
  authorizeSession: ['none', 'host_id'],
  authorizeSessionByName: ['', 'name', 'scope_id'],
  cancelAccessSession: ['none'],
  createPerson: ['', 'login_name', 'password', 'email'],
  updatePerson: ['none', 'email'],
  deletePerson: ['none'],
  resetPassword: ['none', 'new_password'],
  changeOwnPassword: ['', 'current_password', 'new_password'],
  settleActivity: ['1'],
  revealSecret: ['none/none', 'version=3', 'data.a'],
  compareSecret: ['none/none', 'value'],
  createSecret: ['none/none', 'data.a'],
  updateSecret: ['none/none', 'data.a'],
  patchSecret: ['none/none', 'data.a'],
  restoreSecret: ['none/none', 'version=3'],
  deleteSecret: ['none/none'],
  deleteSecretVersions: ['none/none', 'versions=1,2'],
  undeleteSecretVersions: ['none/none', 'versions=1,2'],
  destroySecretVersions: ['none/none', 'versions=1,2'],
  deleteSecretForever: ['none/none'],
  updateSecretMetadata: [
    'none/none',
    'max_versions',
    'cas_required',
    'delete_version_after',
    'custom_metadata.owner',
  ],
  patchSecretMetadata: ['none/none', 'custom_metadata.owner'],
  updateSecretEngine: ['none', 'max_versions', 'cas_required', 'delete_version_after'],
  transferSecrets: ['none/none', 'to=none/other', 'kind', 'from.mount', 'from.path', 'mode'],
  exportSecrets: ['none', 'path=none'],
  previewSecretImport: ['none', 'entries'],
  importSecrets: ['none', 'entries'],
  createBox: ['none/none', 'name', 'short_description', 'description', 'is_private'],
  updateBox: ['none/none', 'description'],
  deleteBox: ['none/none'],
  createBoxVersion: ['none/none/1.0.0', 'description'],
  updateBoxVersion: ['none/none/none', 'description'],
  deleteBoxVersion: ['none/none/none'],
  releaseBoxVersion: ['none/none/none'],
  revokeBoxVersion: ['none/none/none'],
  createBoxProvider: ['none/none/none/none', 'name', 'url', 'checksum', 'checksum_type'],
  updateBoxProvider: ['none/none/none/none', 'url'],
  deleteBoxProvider: ['none/none/none/none'],
  prepareBoxDownload: ['none/none/none/none'],
  createBoxToken: ['', 'password', 'code', 'description'],
  validateBoxToken: ['', 'token'],
  deleteBoxToken: ['', 'token'],
  requestTwoFactorCode: ['', 'environment', 'login_name', 'password', 'delivery_method'],
  beginTwoFactor: ['', 'password'],
  enableTwoFactor: ['', 'code'],
  disableTwoFactor: ['', 'password', 'code'],
  resetTwoFactor: ['none'],
  updateBoxSettings: ['', 'organization_creators'],
  createOrganization: ['none', 'username', 'profile'],
  updateOrganization: ['none', 'profile'],
  deleteOrganization: ['none'],
  addMember: ['none/none', 'username', 'role'],
  changeMember: ['none/none', 'role'],
  removeMember: ['none/none'],
  createPublishRun: ['', 'box', 'version.version', 'version.description', 'providers'],
  updatePublishRun: ['pr_none', 'box', 'version.version', 'version.description', 'providers'],
  publishBox: ['pr_none'],
  publishVersion: ['pr_none'],
  publishProvider: ['pr_none'],
  publishRelease: ['pr_none'],
  abandonPublishRun: ['pr_none'],
  beginUpload: ['pr_none', 'name', 'size', 'last_modified', 'fingerprint'],
  cancelUpload: ['pr_none'],
  deliverUpload: ['pr_none'],
};

let controller: BoundaryController;
let console: TestConsole;
let page: Browser;

beforeAll(async () => {
  controller = await boundaryController();
  controller.targets.set('none', boundaryTarget('none', { name: 'db' }));
});
afterAll(() => controller.close());

const pathOf = ({ path }: EndpointDefinition): string =>
  path
    .replace(':environment', 'test')
    .replace(':service', 'access')
    .replace(':id', 'none')
    .replace(':mount', 'none')
    .replace(':path', 'none')
    .replace(':run', 'pr_none')
    .replaceAll(/:(?:username|name|version|provider|member)(?=\/|$)/g, 'none')
    .replace(':sequence', '1')
    .replace(':key', 'none');

describe('every operation of the route table that changes something or is recorded otherwise', () => {
  beforeAll(async () => {
    console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  });
  afterAll(() => console.close());

  test.each(Object.keys(bodies) as Recorded[])('%s: is recorded before and after, by paths', async (name) => {
    const endpoint: EndpointDefinition = endpoints[name];
    const body = bodies[name];
    console.clock.advance(3_600_000);
    page = console.browser();
    await signInAs(page, 'admin', boundaryPassword);
    await page.send('POST', '/api/session/confirm', { body: { secret: boundaryPassword } });
    const before = rowsOf(console).length;
    let seenBefore: number | undefined;
    controller.intercept = () => {
      seenBefore ??= rowsOf(console).length;
      return false;
    };
    const answer = await page.send(endpoint.method, pathOf(endpoint), {
      ...(body !== undefined && { body }),
      ...(endpoint.guarded === true && { revision: '1' }),
    });
    controller.intercept = undefined;
    expect(answer.json['code'], answer.text).not.toBe('revision-required');
    expect(answer.json['code'], answer.text).not.toBe('confirmation-required');
    const rows = rowsOf(console).slice(before);
    if (typeof endpoint.audit !== 'string') {
      expect(rows).toEqual([]);
      return;
    }
    const [intent, outcome] = rows;
    expect(rows).toHaveLength(2);
    expect(intent).toMatchObject({
      action: endpoint.audit,
      outcome: 'intent',
      intent: null,
      environment: 'test',
      service: serviceOf(name, endpoint),
      resource_kind: endpoint.audit?.split('.')[0],
      revision_before: endpoint.guarded === true ? '1' : null,
      request_id: answer.headers['x-request-id'],
    });
    const [id = '', ...paths] = addresses[name] ?? [];
    expect(intent?.['resource_id']).toBe(id === 'own session' ? intent?.['session_id'] : id);
    expect(JSON.parse(String(intent?.['paths']))).toEqual(paths);
    expect(outcome).toMatchObject({
      action: endpoint.audit,
      intent: intent?.['sequence'],
      problem: answer.status < 400 ? null : answer.json['code'],
    });
    expect(outcome?.['outcome']).toBe(
      answer.status < 400 ? 'succeeded' : answer.status < 500 && answer.status !== 424 ? 'refused' : 'failed',
    );
    // Before the service was asked, the intent was on disk.
    if (seenBefore !== undefined) expect(seenBefore).toBe(before + 1);
    const values = rows.map(({ resource_name: _name, ...row }) => row);
    expect(JSON.stringify(values)).not.toContain(canary);
  });
});

test('what cannot be recorded is not done', async () => {
  const own = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  const browser = own.browser();
  await signInAs(browser, 'admin', boundaryPassword);
  await browser.send('POST', '/api/session/confirm', { body: { secret: boundaryPassword } });
  // Somebody removes the trail under the console: from then on no row can be added.
  const file = new DatabaseSync(`${own.dataDir}/console.db`);
  file.exec('ALTER TABLE audit RENAME TO audit_gone');
  file.close();
  for (const name of Object.keys(bodies) as Recorded[]) {
    const endpoint: EndpointDefinition = endpoints[name];
    if (typeof endpoint.audit !== 'string') continue;
    const body = bodies[name];
    const seen = controller.seen.length;
    const answer = await browser.send(endpoint.method, pathOf(endpoint), {
      ...(body !== undefined && { body }),
      ...(endpoint.guarded === true && { revision: '1' }),
    });
    expect(answer.json, name).toMatchObject({
      status: 503,
      code: 'service-unavailable',
      detail: expect.stringMatching(/changes nothing that it cannot record/),
    });
    expect(controller.seen.length, name).toBe(seen);
  }
  expect((await browser.send('GET', '/api/environments/test/access/targets/none')).status).toBe(200);
  await own.close();
});

function serviceOf(name: Recorded, { path }: EndpointDefinition): string {
  if (name === 'signIn' || name === 'connect' || name === 'disconnect') return 'access';
  if (/\/publish-|\/two-factor\//.test(path)) return 'boxes';
  return /:environment\/(access|secrets|boxes)\//.exec(path)?.[1] ?? '';
}

function rowsOf({ dataDir }: TestConsole): Record<string, unknown>[] {
  const file = new DatabaseSync(`${dataDir}/console.db`, { readOnly: true });
  try {
    return file.prepare('SELECT * FROM audit ORDER BY sequence').all();
  } finally {
    file.close();
  }
}
