import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { EndpointDefinition } from '../contract.ts';
import { activityActions } from './addresses/actions.ts';
import { decisions, decisionsText, type Decision } from './decisions.ts';
import { allEndpoints, endpoints } from './endpoints.ts';
import { preferenceKey } from './preferences.ts';
import { problemCodes, problemStatus } from './problem.ts';
import { environmentId } from './service.ts';
import { credentials } from './session.ts';

z.config(z.locales.en());

const all = allEndpoints.map((endpoint): [string, EndpointDefinition] => [endpoint.name, endpoint]);

describe('every operation', () => {
  test('is named after its resource and key', () => {
    const places = Object.entries(endpoints).flatMap(([resource, operations]) =>
      Object.keys(operations).map((operation) => `${resource}.${operation}`),
    );
    expect(all.map(([name]) => name)).toEqual(places);
  });

  test('has a unique method and path', () => {
    expect(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(all.length);
  });

  test.each(all)('%s follows the rules for declarations', (_name, endpoint) => {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
    const declared = endpoint.params instanceof z.ZodMiniObject ? Object.keys(endpoint.params.shape) : [];
    expect(declared.sort()).toEqual(names.sort());
    if (endpoint.method === 'GET') {
      expect(endpoint.body).toBeUndefined();
      expect(endpoint.guarded).toBeUndefined();
      expect(endpoint.harm).toBeUndefined();
    }
    const actions: readonly unknown[] = activityActions;
    expect([endpoint.method === 'GET' ? undefined : false, ...actions]).toContain(endpoint.audit);
    if (endpoint.stream) expect(endpoint.response).toBeDefined();
    if (endpoint.guarded) {
      expect(endpoint.errors).toContain('conflict');
      expect(endpoint.errors).toContain('revision-required');
      expect(endpoint.errors).toContain('outcome-unknown');
    }
    // Derived from the harm.
    expect(endpoint.errors).not.toContain('confirmation-required');
    if (endpoint.anonymous !== true) expect(endpoint.errors).toContain('unauthenticated');
    expect(endpoint.summary).toMatch(/^[A-Z].*[^.]$/);
  });

  test.each(all)('%s checks no text further that is too long', (_name, { params, query, body }) => {
    const given = Object.entries({ params, query, body });
    expect(given.flatMap(([name, schema]) => (schema === undefined ? [] : unlimited(schema, name)))).toEqual(
      [],
    );
  });
});

/** The parts of any schema in the contract. */
interface Parts {
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly options?: readonly z.ZodMiniType[];
}

interface Check {
  readonly check: string;
  readonly abort?: boolean;
}

const cheap = ['max_length', 'min_length', 'overwrite'];
const partsOf = (schema: z.ZodMiniType): Parts => schema._zod.def;
const isSchema = (part: unknown): part is z.ZodMiniType =>
  typeof part === 'object' && part !== null && '_zod' in part;

/** The paths of texts in a schema with a limit that doesn't keep longer ones from further checks. */
function unlimited(schema: z.ZodMiniType, path: string): string[] {
  const { checks = [], shape = {}, options = [], ...rest } = partsOf(schema);
  const rules = checks.map(({ _zod: { def } }) => def);
  const limit = rules.findIndex(({ check }) => check === 'max_length');
  const isCheap = (some: readonly Check[]) => some.every(({ check }) => cheap.includes(check));
  const isLimited =
    limit === -1 ||
    (isCheap(rules.slice(0, limit)) && (rules[limit]?.abort === true || isCheap(rules.slice(limit))));
  const inner = [...options, ...Object.values(rest).filter(isSchema)];
  return [
    ...(isLimited ? [] : [path]),
    ...Object.entries(shape).flatMap(([name, part]) => unlimited(part, `${path}.${name}`)),
    ...inner.flatMap((part) => unlimited(part, path)),
  ];
}

/** These end only something of the caller's own, with one click, or return no values (the activity). */
const soundsHarmfulAndIsNot = [
  'session.signOut',
  'sessions.end',
  'sessions.endOthers',
  'connections.disconnect',
  'activity.export',
  'boxTwoFactor.disable',
  'publishRuns.abandon',
  'publishUploads.cancel',
  'moves.abandon',
];
const soundsHarmful = /^(?:delete|destroy|remove|reset|revoke|release|disable|end|abandon|export|transfer)/i;

test('declares a harm for every operation with a harmful name', () => {
  const silent = all.filter(
    ([name, { method, harm }]) =>
      harm === undefined && (method === 'DELETE' || soundsHarmful.test(name.split('.')[1] ?? '')),
  );
  expect(silent.map(([name]) => name)).toEqual(soundsHarmfulAndIsNot);
});

test('keeps the declared harms', () => {
  const harms = all.flatMap(([name, { harm }]) => (harm === undefined ? [] : [`${harm} ${name}`]));
  expect(harms).toEqual(
    expect.arrayContaining([
      'account boxTwoFactor.reset',
      'account organizations.delete',
      'account people.delete',
      'account people.resetPassword',
      'cluster replication.demote',
      'cluster replication.disablePrimary',
      'cluster replication.disableSecondary',
      'cluster replication.enablePrimary',
      'wipes replication.updatePrimary',
      'cluster replicationSecondaries.deleteFilter',
      'cluster replicationSecondaries.revoke',
      'cluster replicationSecondaries.saveFilter',
      'copies replicationSecondaries.createToken',
      'destroys boxProviders.delete',
      'destroys boxProviders.update',
      'destroys boxVersions.delete',
      'destroys boxVersions.revoke',
      'destroys boxVersions.update',
      'destroys boxes.delete',
      'destroys cloudEngines.unmount',
      'destroys moduleVersions.delete',
      'destroys credentialStores.delete',
      'destroys credentialStores.update',
      'destroys credentials.delete',
      'destroys credentials.update',
      'destroys publishRuns.publishProvider',
      'destroys publishUploads.begin',
      'destroys publishUploads.deliver',
      'destroys replication.deleteLostWrites',
      'destroys replication.promote',
      'destroys secretEngines.unmount',
      'destroys secretEngines.update',
      'destroys secretMetadata.patch',
      'destroys secretMetadata.update',
      'destroys secretTransfers.transfer',
      'destroys secrets.deleteForever',
      'destroys secrets.destroyVersions',
      'discloses secretTransfers.export',
      'final accessSessions.cancel',
      'final boxVersions.release',
      'final moduleVersions.publish',
      'final publishRuns.release',
      'reaches boxProviders.create',
      'reaches moves.resume',
      'reaches moves.retry',
      'reaches moves.start',
      'loses boxTokens.delete',
      'loses credentialLibraries.delete',
      'loses hostCatalogs.delete',
      'loses hostSets.delete',
      'loses hosts.delete',
      'loses moduleTokens.revoke',
      'loses targets.delete',
      'rights boxSettings.update',
      'rights boxes.update',
      'rights organizationMembers.add',
      'rights organizationMembers.change',
      'rights organizationMembers.remove',
      'rights people.create',
      'rights people.update',
      'rights publishRuns.publishBox',
      'stops moduleVersions.deprecate',
      'stops secrets.delete',
      'stops secrets.deleteVersions',
      'stops targets.update',
      'wipes replication.addSecondary',
    ]),
  );
});

test("declares exactly the audit trail's actions", () => {
  expect(new Set(all.map(([, { audit }]) => audit).filter((audit) => typeof audit === 'string'))).toEqual(
    new Set(activityActions),
  );
});

test('sends decisions as ASCII, and none if there are too many', () => {
  const made: Decision[] = [
    { path: '/attributes/default_port', choice: 'mine' },
    { path: '~{worker filters}', choice: 'current' },
    { path: '/labels/größe\u0000😀', choice: 'edited' },
    { path: '', choice: 'overwrite' },
  ];
  const text = decisionsText(made) ?? '';
  expect(text).toMatch(/^[\x20-\x7e]+$/);
  expect(z.parse(decisions, JSON.parse(text))).toEqual(made);
  expect(decisionsText([])).toBeUndefined();
  const many = Array.from({ length: 101 }, (): Decision => ({ path: '/a', choice: 'mine' }));
  expect(decisionsText(many)).toBeUndefined();
  expect(decisionsText(many.slice(1).map((one) => ({ ...one, path: 'x'.repeat(200) })))).toBeUndefined();
});

test('gives every problem an error status', () => {
  for (const code of problemCodes) expect(problemStatus[code]).toBeGreaterThanOrEqual(400);
});

test.each([
  ['a', true],
  ['prod-1', true],
  [`a${'b'.repeat(62)}`, true],
  [`a${'b'.repeat(63)}`, false],
  ['-a', false],
  ['a-', false],
  ['A', false],
  ['', false],
  ['a.b', false],
])('the environment %j is accepted: %j', (id, accepted) => {
  expect(z.safeParse(environmentId, id).success).toBe(accepted);
});

test.each([
  ['theme', true],
  ['grid.targets', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['Theme', false],
  ['a..b', false],
  ['__proto__', false],
  ['', false],
])('accepts the preference %j: %j', (key, accepted) => {
  expect(z.safeParse(preferenceKey, key).success).toBe(accepted);
});

test('reports missing credentials without repeating the input', () => {
  const refusal = (value: unknown) =>
    z.safeParse(credentials, value).error?.issues.map(({ message }) => message);
  expect(refusal({ method: 'password', login_name: ' ', password: '' })).toEqual([
    'Enter the login name.',
    'Enter the password.',
  ]);
  expect(refusal({ method: 'token', token: '' })).toEqual(['Enter the token.']);
  expect(refusal({ method: 'token', token: 'x'.repeat(4096) })).toBeUndefined();
  expect(refusal({ method: 'token', token: 'x'.repeat(4097) })).toEqual([
    'The token is longer than 4,096 characters.',
  ]);
  expect(JSON.stringify(refusal({ method: 'canary', password: 'canary' }))).not.toContain('canary');
  expect(z.parse(credentials, { method: 'password', login_name: ' admin ', password: ' p ' })).toEqual({
    method: 'password',
    login_name: 'admin',
    password: ' p ',
  });
});
