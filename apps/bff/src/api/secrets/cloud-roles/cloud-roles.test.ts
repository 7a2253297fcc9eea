/** A cloud engine's roles, with the embedded server and a test double of the provider. */
import { testPassword } from '@gatehouse/access-controller/testing/controller';
import { readOnly, roleX } from '@gatehouse/secrets-server/testing/cloud';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import {
  endFaults,
  createRole,
  engineAt,
  invalid,
  outcomes,
  policyDocument,
  revisionAt,
  roleAt,
  startCloud,
  type CloudConsole,
} from '#test/cloud.ts';
import { confirmAs } from '#test/console.ts';

let live: CloudConsole;
let admin: Browser;
beforeAll(async () => {
  live = await startCloud();
  admin = await live.signedIn();
  await confirmAs(admin, testPassword);
});
afterAll(() => live[Symbol.asyncDispose]());
afterEach(() => {
  endFaults(live);
});

const create = (name: string, fields: object = {}, page = admin): Promise<BrowserAnswer> =>
  createRole(page, name, fields);
const update = async (name: string, body: object, revision?: string): Promise<BrowserAnswer> =>
  admin.send('PATCH', roleAt(name), { revision: revision ?? (await revisionAt(admin, roleAt(name))), body });
const stored = async (name: string): Promise<unknown> => (await live.direct.read(`cloud/roles/${name}`)).data;

describe('roles', () => {
  test("are written if only the user's rights can't be read afterwards", async () => {
    live.proxy.onRequest = (bytes) => {
      if (bytes.includes('sys/capabilities-self ')) live.proxy.drop();
    };
    const made = await create('blind');
    expect(made.json).toMatchObject({ name: 'blind', may: null });
    const changed = await update('blind', { iam_groups: ['ops'] }, String(made.json['revision']));
    expect(changed.json).toMatchObject({ iam_groups: ['ops'], may: null });
  });

  test('are created with exactly the fields of their type', async () => {
    const sent: string[] = [];
    live.proxy.onRequest = (bytes) => sent.push(bytes.toString('latin1'));
    const made = await create('made', {
      policy_document: JSON.stringify(JSON.parse(policyDocument), null, 4),
      iam_tags: { owner: 'a,b', 'x=y': 'z' },
      default_sts_ttl: '1h',
      role_arns: [roleX],
    });
    expect(made.json).toMatchObject({
      name: 'made',
      policy_document: JSON.stringify(JSON.parse(policyDocument), null, 2),
      iam_tags: { owner: 'a,b', 'x=y': 'z' },
      default_sts_ttl: 0,
      role_arns: [],
      legacy: false,
      may: { read: true, generate: true, list_leases: true, revoke_leases: true },
    });
    const body = sent.find((text) => text.startsWith('POST /v1/cloud/roles/made'));
    expect(JSON.parse(body?.split('\r\n\r\n')[1] ?? '')).toEqual({
      credential_type: 'iam_user',
      policy_arns: [readOnly],
      policy_document: policyDocument,
      iam_groups: [],
      iam_tags: { owner: 'a,b', 'x=y': 'z' },
      user_path: '',
      permissions_boundary_arn: '',
    });
    expect((await create('made')).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', current: { name: 'made' }, changedBy: 'admin' },
    });
    expect((await create('sts', { credential_type: 'assumed_role' })).json).toMatchObject(
      invalid('role_arns'),
    );
  });

  test('are assumed with an external ID and session tags', async () => {
    const fields = {
      credential_type: 'assumed_role',
      role_arns: [roleX],
      external_id: 'partner-7',
      session_tags: { team: 'web', 'x=y': 'z' },
    };
    expect((await create('partner', fields)).json).toMatchObject(fields);
    expect(await stored('partner')).toMatchObject(fields);
    expect((await update('partner', { session_tags: { team: 'ops' } })).json).toMatchObject({
      session_tags: { team: 'ops' },
      external_id: 'partner-7',
    });
    const turned = { credential_type: 'federation_token', policy_arns: [readOnly] };
    expect((await update('partner', turned)).json).toMatchObject({ session_tags: {}, external_id: '' });
    expect((await create('odd', { ...fields, external_id: 'a b' })).json).toMatchObject(
      invalid('external_id'),
    );
  });

  test("lose the fields that a new type doesn't have", async () => {
    await create('turned', {
      credential_type: 'federation_token',
      default_sts_ttl: '15m',
      max_sts_ttl: '1h',
    });
    expect((await update('turned', { credential_type: 'iam_user', user_path: '/p/' })).status).toBe(200);
    expect(await stored('turned')).toMatchObject({ default_sts_ttl: 0, max_sts_ttl: 0, user_path: '/p/' });
    const assumed = { credential_type: 'assumed_role', role_arns: [roleX], max_sts_ttl: '90m' };
    expect((await update('turned', assumed)).json).toMatchObject({ max_sts_ttl: 5400, user_path: '' });
    expect((await update('turned', { credential_type: 'federation_token' })).json).toMatchObject({
      role_arns: [],
      policy_arns: [readOnly],
      max_sts_ttl: 5400,
    });
    expect((await update('turned', { policy_arns: [] })).json).toMatchObject(invalid('policy_arns'));
    expect((await update('turned', {})).json).toMatchObject({ code: 'invalid-request' });
  });

  test('are changed only over the state that the user saw', async () => {
    await create('shared');
    const seen = await revisionAt(admin, roleAt('shared'));
    expect((await update('shared', { iam_groups: ['g1'] }, seen)).json).toMatchObject({ iam_groups: ['g1'] });
    expect((await update('shared', { iam_groups: ['g1'] }, seen)).status).toBe(200);
    expect((await update('shared', { iam_groups: ['g2'] }, seen)).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'modified', current: { iam_groups: ['g1'] }, changedBy: 'admin' },
    });
    const remove = (revision: string) => admin.send('DELETE', roleAt('shared'), { revision });
    expect((await remove(seen)).json).toMatchObject({ code: 'conflict' });
    const now = await revisionAt(admin, roleAt('shared'));
    expect((await remove(now)).status).toBe(204);
    expect((await remove(now)).json).toMatchObject({ code: 'not-found' });
    expect((await update('shared', { iam_groups: [] }, now)).json).toMatchObject({
      conflict: { reason: 'deleted' },
    });
    expect((await admin.send('GET', roleAt('shared'))).json).toMatchObject({ code: 'not-found' });
  });

  test('keep an unprintable policy document unchanged when other fields change', async () => {
    const raw = '{"Version": "2012-10-17", "Statement": [], "Statement": [{"n": 12345678901234567890}]}';
    await live.direct.write('cloud/roles/raw', { credential_type: 'iam_user', policy_arns: [readOnly] });
    const deep = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    expect((await create('deep', { policy_document: deep })).json).toMatchObject(invalid('policy_document'));
    const sent: string[] = [];
    live.proxy.onRequest = (bytes) => sent.push(bytes.toString('latin1'));
    const bodies = () =>
      sent
        .filter((text) => text.startsWith('POST /v1/cloud/roles/raw '))
        .map((text) => JSON.parse(text.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>);
    await update('raw', { policy_document: raw });
    expect(bodies()).toMatchObject([{ policy_document: raw.replaceAll(': ', ':').replaceAll(', ', ',') }]);
    await update('raw', { policy_document: policyDocument });
    expect((await update('raw', { iam_groups: ['g1'] })).json).toMatchObject({
      policy_document: JSON.stringify(JSON.parse(policyDocument), null, 2),
    });
    expect(bodies().at(-1)).not.toHaveProperty('policy_document');
    expect(await stored('raw')).toMatchObject({ policy_document: policyDocument, iam_groups: ['g1'] });
  });

  test('accept only one of two changes to the same state', async () => {
    const twice = (fields: object): Promise<BrowserAnswer> => create('twice', fields);
    expect(await outcomes(twice({ iam_groups: ['g1'] }), twice({ user_path: '/p/' }))).toEqual([
      'conflict',
      'done',
    ]);
    const seen = await revisionAt(admin, roleAt('twice'));
    expect(
      await outcomes(
        ...['g2', 'g3', 'g4'].map((group) => update('twice', { iam_groups: [group] }, seen)),
        admin.send('DELETE', roleAt('twice'), { revision: seen }),
      ),
    ).toEqual(['conflict', 'conflict', 'conflict', 'done']);
  });

  test('of an earlier server are read-only until their type is chosen', async () => {
    await live.direct.write('cloud/roles/old', { policy: policyDocument });
    expect((await admin.send('GET', roleAt('old'))).json).toMatchObject({
      legacy: true,
      credential_type: 'iam_user,federation_token',
    });
    expect((await update('old', { iam_groups: ['g1'] })).json).toMatchObject(invalid('credential_type'));
    expect((await update('old', { credential_type: 'iam_user' })).json).toMatchObject({
      legacy: false,
      credential_type: 'iam_user',
    });
  });

  test('grant rights, so writing one requires the password', async () => {
    const asked = { code: 'confirmation-required', status: 403 };
    const fresh = await live.signedIn();
    expect((await create('guarded', {}, fresh)).json).toMatchObject(asked);
    await create('guarded');
    const revision = await revisionAt(admin, roleAt('guarded'));
    const change = () => fresh.send('PATCH', roleAt('guarded'), { revision, body: { iam_groups: ['g1'] } });
    expect((await change()).json).toMatchObject(asked);
    await confirmAs(fresh, testPassword);
    expect((await change()).json).toMatchObject({ iam_groups: ['g1'] });
  });

  test('are listed in pages, and by name only if the caller may not read them', async () => {
    for (const name of ['page-c', 'Page-a', 'page-b']) await create(name);
    const list = async (query: string, page = admin) =>
      (await page.send('GET', engineAt(`/roles?${query}`))).json;
    expect(await list('q=PAGE&limit=2')).toMatchObject({
      items: [
        { name: 'Page-a', credential_type: 'iam_user', has_policy_document: false },
        { name: 'page-b' },
      ],
      total: 3,
    });
    expect(await list('q=page&limit=2&offset=2')).toMatchObject({ items: [{ name: 'page-c' }], total: 3 });
    const lister = await live.withPolicy('lister', 'path "cloud/roles" { capabilities = ["list"] }');
    expect(await list('q=page-c', lister)).toMatchObject({
      items: [{ name: 'page-c', credential_type: null, role_arns: null, default_sts_ttl: null }],
    });
    const reader = await live.signedIn('read-only');
    await confirmAs(reader, testPassword);
    expect((await create('page-d', {}, reader)).json).toMatchObject({ code: 'forbidden' });
    expect(
      await list('', await live.withPolicy('other', 'path "x" { capabilities = ["read"] }')),
    ).toMatchObject({ code: 'forbidden' });
  });
});
