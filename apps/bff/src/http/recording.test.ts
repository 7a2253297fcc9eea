import { DatabaseSync } from 'node:sqlite';
import { allEndpoints, type EndpointName, type EndpointOf } from '@gatehouse/api-types/console/endpoints';
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
  [Name in EndpointName]: EndpointOf<Name> extends { readonly audit: unknown } ? Name : never;
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
  'session.signIn': signIn,
  'session.signOut': undefined,
  'session.confirm': { secret: canary },
  'sessions.end': undefined,
  'sessions.endOthers': undefined,
  'connections.connect': { credentials: signIn.credentials },
  'connections.disconnect': undefined,
  'preferences.put': { value: canary },
  'targets.create': { scope_id: 'p_1234567890', type: 'ssh', ...place },
  'targets.update': { description: canary },
  'targets.delete': undefined,
  'targets.changeHostSources': { action: 'add', host_source_ids: [canary] },
  'targets.changeCredentialSources': { action: 'add', brokered_credential_source_ids: [canary] },
  'hostCatalogs.create': { scope_id: 'p_1234567890', ...place },
  'hostCatalogs.update': { description: canary },
  'hostCatalogs.delete': undefined,
  'hostSets.create': { host_catalog_id: 'hcst_1', ...place },
  'hostSets.update': { description: canary },
  'hostSets.delete': undefined,
  'hostSets.changeHosts': { action: 'add', host_ids: [canary] },
  'hosts.create': { host_catalog_id: 'hcst_1', attributes: { address: `${canary}.example` } },
  'hosts.update': { description: canary },
  'hosts.delete': undefined,
  'credentialStores.create': { scope_id: 'p_1234567890', type: 'static', ...place },
  'credentialStores.update': {
    description: canary,
    attributes: { token: canary, client_certificate_key: `${canary}PRIVATE KEY-----` },
  },
  'credentialStores.delete': undefined,
  'credentials.create': {
    credential_store_id: 'csst_1',
    type: 'username_password',
    attributes: { username: canary, password: canary },
  },
  'credentials.update': { attributes: { password: canary, object: `{"x":"${canary}"}` } },
  'credentials.delete': undefined,
  'credentialLibraries.create': {
    credential_store_id: 'clvlt_1',
    type: 'vault-generic',
    attributes: { path: `secret/data/${canary}` },
  },
  'credentialLibraries.update': { description: canary },
  'credentialLibraries.delete': undefined,
  'accessSessions.authorize': { host_id: canary },
  'accessSessions.authorizeByName': { name: 'db', scope_id: canary },
  'accessSessions.cancel': undefined,
  'people.create': { login_name: 'somebody', password: canary, roles: {}, email: canary },
  'people.update': { email: canary },
  'people.delete': undefined,
  'people.resetPassword': { new_password: canary },
  'people.changeOwnPassword': { current_password: canary, new_password: canary },
  'activity.settle': undefined,
  'activity.export': undefined,
  'secrets.reveal': { version: 3, fields: ['a'] },
  'secrets.compare': { value: canary },
  'secrets.create': { data: `{"a":"${canary}"}` },
  'secrets.update': { data: `{"a":"${canary}"}` },
  'secrets.patch': { data: `{"a":"${canary}"}` },
  'secrets.restore': { version: 3 },
  'secrets.delete': undefined,
  'secrets.deleteVersions': { versions: [1, 2] },
  'secrets.undeleteVersions': { versions: [1, 2] },
  'secrets.destroyVersions': { versions: [1, 2] },
  'secrets.deleteForever': undefined,
  'secretMetadata.update': { ...secretSettings, custom_metadata: { owner: canary } },
  'secretMetadata.patch': { custom_metadata: { owner: canary } },
  'secretEngines.update': secretSettings,
  'secretTransfers.transfer': {
    kind: 'secret',
    from: { mount: 'none', path: 'none' },
    to: { mount: 'none', path: 'other' },
    mode: 'move',
    versions: 'all',
  },
  'secretTransfers.export': { paths: ['none'] },
  'secretTransfers.previewImport': { entries: [{ path: 'none', data: `{"a":"${canary}"}` }] },
  'secretTransfers.import': { entries: [{ path: 'none', data: `{"a":"${canary}"}`, revision: '0' }] },
  'plugins.create': {
    type: 'secret',
    name: 'none',
    version: 'v1.2.3',
    sha256: 'a'.repeat(64),
    command: canary,
    args: [canary],
    env: [`A=${canary}`],
    oci_image: '',
    runtime: '',
  },
  'plugins.update': { command: canary, env: [`A=${canary}`] },
  'plugins.delete': undefined,
  'plugins.pin': undefined,
  'plugins.unpin': undefined,
  'plugins.reload': { mounts: [canary] },
  'plugins.tuneMount': { plugin_version: 'v1.2.3' },
  'cloudEngines.mount': { mount: 'none', plugin: 'cloud', description: canary },
  'cloudEngines.updateRoot': {
    access_key: 'AKIA',
    secret_key: canary,
    region: '',
    iam_endpoint: '',
    sts_endpoint: '',
    max_retries: -1,
  },
  'cloudEngines.rotateRoot': undefined,
  'cloudEngines.updateLease': { lease: '30m', lease_max: '1h' },
  'cloudRoles.create': {
    name: 'none',
    credential_type: 'iam_user',
    role_arns: [],
    policy_arns: [],
    policy_document: `{"Sid":"${canary}"}`,
    iam_groups: [canary],
    iam_tags: { owner: canary },
    default_sts_ttl: '',
    max_sts_ttl: '',
    user_path: '',
    permissions_boundary_arn: '',
  },
  'cloudRoles.update': { policy_document: `{"Sid":"${canary}"}`, iam_tags: { owner: canary } },
  'cloudRoles.delete': undefined,
  'cloudCredentials.generate': { from: 'creds', role_session_name: canary, ttl: '15m' },
  'cloudLeases.renew': { lease_id: canary, increment: '15m' },
  'cloudLeases.revoke': { lease_ids: [canary] },
  'cloudLeases.revokeAll': undefined,
  'boxes.create': { name: 'none', short_description: canary, description: canary, is_private: true },
  'boxes.update': { description: canary },
  'boxes.delete': undefined,
  'boxVersions.create': { version: '1.0.0', description: canary },
  'boxVersions.update': { description: canary },
  'boxVersions.delete': undefined,
  'boxVersions.release': undefined,
  'boxVersions.revoke': undefined,
  'boxProviders.create': {
    name: 'none',
    url: `https://${canary}.example`,
    checksum: '',
    checksum_type: null,
  },
  'boxProviders.update': { url: `https://${canary}.example` },
  'boxProviders.delete': undefined,
  'boxProviders.prepareDownload': undefined,
  'boxTokens.create': { password: canary, code: '123456', description: canary },
  'boxTokens.validate': { token: canary },
  'boxTokens.delete': { token: canary },
  'boxTwoFactor.requestCode': {
    environment: 'test',
    login_name: 'admin',
    password: canary,
    delivery_method: 'sms',
  },
  'boxTwoFactor.begin': { password: canary },
  'boxTwoFactor.enable': { code: '123456' },
  'boxTwoFactor.disable': { password: canary, code: '123456' },
  'boxTwoFactor.reset': undefined,
  'boxSettings.update': { organization_creators: 'operators' },
  'organizations.create': { username: 'none', profile: canary },
  'organizations.update': { profile: canary },
  'organizations.delete': undefined,
  'organizationMembers.add': { username: 'none', role: 'reader' },
  'organizationMembers.change': { role: 'reader' },
  'organizationMembers.remove': undefined,
  'publishRuns.create': { box: null, version: { version: '1.0.0', description: canary }, providers: [] },
  'publishRuns.update': { box: null, version: { version: '1.0.0', description: canary }, providers: [] },
  'publishRuns.publishBox': {},
  'publishRuns.publishVersion': {},
  'publishRuns.publishProvider': {},
  'publishRuns.release': undefined,
  'publishRuns.abandon': undefined,
  'publishUploads.begin': { name: canary, size: 1, last_modified: 1, fingerprint: 'a'.repeat(64) },
  'publishUploads.cancel': undefined,
  'publishUploads.deliver': undefined,
  'modules.verify': { verified: true },
  'moduleVersions.publish': {
    archive: Buffer.from(canary).toString('base64'),
    description: canary,
    source: '',
  },
  'moduleVersions.deprecate': { state: 'revoked', message: canary, replacement: canary },
  'moduleVersions.restore': undefined,
  'moduleVersions.delete': undefined,
  'moduleArchives.read': { archive: Buffer.from(canary).toString('base64') },
  'moduleTokens.create': { description: canary, password: canary },
  'moduleTokens.revoke': undefined,
};

/** The record that each call is about, and what is said of its body; of the others neither. */
const addresses: { readonly [Name in Recorded]?: readonly [id: string, ...paths: string[]] } = {
  'session.signOut': ['own session'],
  'session.confirm': ['own session'],
  'sessions.end': ['none'],
  'sessions.endOthers': ['own session'],
  'connections.connect': ['access'],
  'connections.disconnect': ['access'],
  'targets.create': ['', 'scope_id', 'type', 'name', 'description'],
  'targets.update': ['none', 'description'],
  'targets.delete': ['none'],
  'targets.changeHostSources': ['none', 'action', 'host_source_ids'],
  'targets.changeCredentialSources': ['none', 'action', 'brokered_credential_source_ids'],
  'hostCatalogs.create': ['', 'scope_id', 'name', 'description'],
  'hostCatalogs.update': ['none', 'description'],
  'hostCatalogs.delete': ['none'],
  'hostSets.create': ['', 'host_catalog_id', 'name', 'description'],
  'hostSets.update': ['none', 'description'],
  'hostSets.delete': ['none'],
  'hostSets.changeHosts': ['none', 'action', 'host_ids'],
  'hosts.create': ['', 'host_catalog_id', 'attributes.address'],
  'hosts.update': ['none', 'description'],
  'hosts.delete': ['none'],
  'credentialStores.create': ['', 'scope_id', 'name', 'description', 'type'],
  'credentialStores.update': ['none', 'description', 'attributes.token', 'attributes.client_certificate_key'],
  'credentialStores.delete': ['none'],
  'credentials.create': ['', 'credential_store_id', 'type', 'attributes.username', 'attributes.password'],
  'credentials.update': ['none', 'attributes.password', 'attributes.object'],
  'credentials.delete': ['none'],
  'credentialLibraries.create': ['', 'credential_store_id', 'type', 'attributes.path'],
  'credentialLibraries.update': ['none', 'description'],
  'credentialLibraries.delete': ['none'],
  'accessSessions.authorize': ['none', 'host_id'],
  'accessSessions.authorizeByName': ['', 'name', 'scope_id'],
  'accessSessions.cancel': ['none'],
  'people.create': ['', 'login_name', 'password', 'email'],
  'people.update': ['none', 'email'],
  'people.delete': ['none'],
  'people.resetPassword': ['none', 'new_password'],
  'people.changeOwnPassword': ['', 'current_password', 'new_password'],
  'activity.settle': ['1'],
  'secrets.reveal': ['none/none', 'version=3', 'data.a'],
  'secrets.compare': ['none/none', 'value'],
  'secrets.create': ['none/none', 'data.a'],
  'secrets.update': ['none/none', 'data.a'],
  'secrets.patch': ['none/none', 'data.a'],
  'secrets.restore': ['none/none', 'version=3'],
  'secrets.delete': ['none/none'],
  'secrets.deleteVersions': ['none/none', 'versions=1,2'],
  'secrets.undeleteVersions': ['none/none', 'versions=1,2'],
  'secrets.destroyVersions': ['none/none', 'versions=1,2'],
  'secrets.deleteForever': ['none/none'],
  'secretMetadata.update': [
    'none/none',
    'max_versions',
    'cas_required',
    'delete_version_after',
    'custom_metadata.owner',
  ],
  'secretMetadata.patch': ['none/none', 'custom_metadata.owner'],
  'secretEngines.update': ['none', 'max_versions', 'cas_required', 'delete_version_after'],
  'secretTransfers.transfer': ['none/none', 'to=none/other', 'kind', 'from.mount', 'from.path', 'mode'],
  'secretTransfers.export': ['none', 'path=none'],
  'secretTransfers.previewImport': ['none', 'entries'],
  'secretTransfers.import': ['none', 'entries'],
  'plugins.create': [
    'secret/none@v1.2.3',
    'sha256',
    'command',
    'args',
    'env',
    'oci_image',
    'runtime',
    'type',
    'name',
    'version',
  ],
  'plugins.update': ['secret/none', 'command', 'env'],
  'plugins.delete': ['secret/none'],
  'plugins.pin': ['secret/none'],
  'plugins.unpin': ['secret/none'],
  'plugins.reload': ['secret/none', 'mounts'],
  'plugins.tuneMount': ['none', 'plugin_version'],
  'cloudEngines.mount': ['none', 'mount', 'plugin', 'description'],
  'cloudEngines.updateRoot': [
    'none',
    'access_key',
    'secret_key',
    'region',
    'iam_endpoint',
    'sts_endpoint',
    'max_retries',
  ],
  'cloudEngines.rotateRoot': ['none'],
  'cloudEngines.updateLease': ['none', 'lease', 'lease_max'],
  'cloudRoles.create': [
    'none/roles/none',
    'name',
    'credential_type',
    'role_arns',
    'policy_arns',
    'policy_document',
    'iam_groups',
    'iam_tags.owner',
    'default_sts_ttl',
    'max_sts_ttl',
    'user_path',
    'permissions_boundary_arn',
  ],
  'cloudRoles.update': ['none/roles/none', 'policy_document', 'iam_tags.owner'],
  'cloudRoles.delete': ['none/roles/none'],
  'cloudCredentials.generate': ['none/roles/none', 'from', 'role_session_name', 'ttl'],
  'cloudLeases.renew': ['none/roles/none', 'lease_id', 'increment'],
  'cloudLeases.revoke': ['none/roles/none', 'lease_ids'],
  'cloudLeases.revokeAll': ['none/roles/none'],
  'boxes.create': ['none/none', 'name', 'short_description', 'description', 'is_private'],
  'boxes.update': ['none/none', 'description'],
  'boxes.delete': ['none/none'],
  'boxVersions.create': ['none/none/1.0.0', 'description'],
  'boxVersions.update': ['none/none/none', 'description'],
  'boxVersions.delete': ['none/none/none'],
  'boxVersions.release': ['none/none/none'],
  'boxVersions.revoke': ['none/none/none'],
  'boxProviders.create': ['none/none/none/none', 'name', 'url', 'checksum', 'checksum_type'],
  'boxProviders.update': ['none/none/none/none', 'url'],
  'boxProviders.delete': ['none/none/none/none'],
  'boxProviders.prepareDownload': ['none/none/none/none'],
  'boxTokens.create': ['', 'password', 'code', 'description'],
  'boxTokens.validate': ['', 'token'],
  'boxTokens.delete': ['', 'token'],
  'boxTwoFactor.requestCode': ['', 'environment', 'login_name', 'password', 'delivery_method'],
  'boxTwoFactor.begin': ['', 'password'],
  'boxTwoFactor.enable': ['', 'code'],
  'boxTwoFactor.disable': ['', 'password', 'code'],
  'boxTwoFactor.reset': ['none'],
  'boxSettings.update': ['', 'organization_creators'],
  'organizations.create': ['none', 'username', 'profile'],
  'organizations.update': ['none', 'profile'],
  'organizations.delete': ['none'],
  'organizationMembers.add': ['none/none', 'username', 'role'],
  'organizationMembers.change': ['none/none', 'role'],
  'organizationMembers.remove': ['none/none'],
  'publishRuns.create': ['', 'box', 'version.version', 'version.description', 'providers'],
  'publishRuns.update': ['pr_none', 'box', 'version.version', 'version.description', 'providers'],
  'publishRuns.publishBox': ['pr_none'],
  'publishRuns.publishVersion': ['pr_none'],
  'publishRuns.publishProvider': ['pr_none'],
  'publishRuns.release': ['pr_none'],
  'publishRuns.abandon': ['pr_none'],
  'publishUploads.begin': ['pr_none', 'name', 'size', 'last_modified', 'fingerprint'],
  'publishUploads.cancel': ['pr_none'],
  'publishUploads.deliver': ['pr_none'],
  'modules.verify': ['none/none/none', 'verified'],
  'moduleVersions.publish': ['none/none/none/1.0.0', 'archive', 'description', 'source'],
  'moduleVersions.deprecate': ['none/none/none/none', 'state', 'message', 'replacement'],
  'moduleVersions.restore': ['none/none/none/none'],
  'moduleVersions.delete': ['none/none/none/none'],
  'moduleTokens.create': ['', 'description', 'password'],
  'moduleTokens.revoke': ['none'],
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
    .replace(':plugin', 'secret%2Fnone')
    .replace(':role', 'none')
    .replace(':run', 'pr_none')
    // A new version of a module needs a number.
    .replace(/:version(?=\/publish$)/, '1.0.0')
    .replaceAll(/:(?:username|namespace|name|version|provider|member)(?=\/|$)/g, 'none')
    .replace(':sequence', '1')
    .replace(':key', 'none');

describe('every operation of the route table that changes something or is recorded otherwise', () => {
  beforeAll(async () => {
    console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  });
  afterAll(() => console.close());

  test.each(Object.keys(bodies) as Recorded[])('%s: is recorded before and after, by paths', async (name) => {
    const endpoint = declared(name);
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
    const endpoint = declared(name);
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

function declared(name: Recorded): EndpointDefinition {
  const endpoint = allEndpoints.find((one) => one.name === name);
  if (endpoint === undefined) throw new Error(`${name} is not declared`);
  return endpoint;
}

function serviceOf(name: Recorded, { path }: EndpointDefinition): string {
  if (name === 'session.signIn' || name === 'connections.connect' || name === 'connections.disconnect')
    return 'access';
  if (/\/publish-|\/two-factor\//.test(path)) return 'boxes';
  return /:environment\/(access|secrets|boxes|modules)\//.exec(path)?.[1] ?? '';
}

function rowsOf({ dataDir }: TestConsole): Record<string, unknown>[] {
  const file = new DatabaseSync(`${dataDir}/console.db`, { readOnly: true });
  try {
    return file.prepare('SELECT * FROM audit ORDER BY sequence').all();
  } finally {
    file.close();
  }
}
