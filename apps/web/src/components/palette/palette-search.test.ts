import type { Environment } from '@gatehouse/api-types/console/session';
import { expect, test } from 'vitest';
import { commandsOf, environmentCommands, themeCommands, wordsOfLabels } from './commands.ts';
import { questionOf, searchOf } from './palette-search.ts';

const environment = (id: string, kind: Environment['kind']): Environment => ({
  id,
  name: id.charAt(0).toUpperCase() + id.slice(1),
  kind,
  services: (['access', 'secrets', 'boxes', 'modules'] as const).map((service) => ({
    service,
    methods: [],
    account_store: '',
  })),
  accounts: [id],
});
const items = [
  ...commandsOf(environment('staging', 'staging'), { secrets: ['secret'], cloud: ['aws'] }),
  ...environmentCommands([
    environment('production', 'production'),
    environment('development', 'development'),
  ]),
  ...themeCommands,
  ...Object.entries(wordsOfLabels).map(([label, words]) => ({ id: label, label, words })),
];
const { withAll: search, withMost } = searchOf(items);

/** What engineers type, and the command that comes first. */
const phrases: Readonly<Record<string, string>> = {
  'create target': 'New target',
  'new target': 'New target',
  'target new': 'New target',
  'add server': 'New target',
  targets: 'Targets',
  tragets: 'Targets',
  'who changed': 'Activity',
  'who did that': 'Activity',
  audit: 'Activity',
  'audit log': 'Activity',
  'audit trail': 'Activity',
  'log out': 'Sign out',
  logout: 'Sign out',
  'sign out': 'Sign out',
  'sign off': 'Sign out',
  'dark mode': 'Theme: Dark',
  dark: 'Theme: Dark',
  'light theme': 'Theme: Light',
  'publish box': 'Publish a box',
  'upload box': 'Publish a box',
  'vagrant image': 'Boxes',
  help: 'Show keyboard shortcuts',
  tour: 'Show first steps',
  'first steps': 'Show first steps',
  'help first': 'Show first steps',
  'getting started': 'Show first steps',
  documentation: 'Console API',
  'keyboard shortcuts': 'Show keyboard shortcuts',
  'api token': 'Module tokens',
  'api key': 'Module tokens',
  'module token': 'Module tokens',
  'terraform token': 'Module tokens',
  '2fa': 'Second factor of the box registry',
  'box token': 'Box registry tokens',
  offboard: 'People',
  'disable user': 'People',
  'lock out': 'People',
  users: 'People',
  'add user': 'New person',
  'create user': 'New person',
  'new account': 'New person',
  prod: 'Environment: Production',
  production: 'Environment: Production',
  'switch environment': 'Environment: Production',
  'switch to dev': 'Environment: Development',
  ssh: 'Authorize session by name',
  authorize: 'Authorize session by name',
  'open session': 'Authorize session by name',
  'new secret': 'New secret',
  'create password': 'New secret',
  'import env': 'Import secrets',
  'import dotenv': 'Import secrets',
  'export secrets': 'Export secrets',
  'change password': 'Change password',
  'change my password': 'Change password',
  undelete: 'Recycle bin',
  'recycle bin': 'Recycle bin',
  'restore secret': 'Recycle bin',
  trash: 'Recycle bin',
  'live sessions': 'Sessions',
  'cancel session': 'Sessions',
  'engine settings': 'Secrets engine settings',
  'new engine': 'New engine',
  'mount kv': 'New engine',
  'enable kv': 'New engine',
  'registry settings': 'Box registry settings',
  rotate: 'Rotate root credentials',
  'rotate root': 'Rotate root credentials',
  'aws keys': 'Generate cloud credentials',
  'generate credentials': 'Generate cloud credentials',
  'revoke lease': 'Revoke leases',
  'terraform module': 'Modules',
  'publish module': 'Publish a module',
  'import modules': 'Import modules',
  'migrate boxes': 'Import boxes',
  'import from vagrant cloud': 'Import boxes',
  vagrant: 'Boxes',
  failover: 'Failover planner',
  promote: 'Replication',
  'add secondary': 'Add a secondary',
  'activation token': 'Create an activation token',
  'lost writes': 'Replication',
  'compare clusters': 'Compare clusters',
  'register plugin': 'Register a plugin',
  sha256: 'Plugins',
  'check plugin file': 'Check a file',
  'new role': 'New cloud role',
  'aws role': 'New cloud role',
  'host catalog': 'Host sources',
  'credential store': 'Credential sources',
  organizations: 'Organizations',
  'verify trail': 'Verify the trail',
  utc: 'Time zone: UTC',
  'reconnect service': 'Connections',
  health: 'Overview',
  'connect production': 'Environment: Production',
  'why is target missing': 'Targets',
  'who revealed secrets': 'Activity',
  'sign out everywhere': 'Your sessions',
  'give access to someone': 'People',
  'add teammate': 'New person',
  'turn on dark': 'Theme: Dark',
  'generate password': 'New secret',
  'delete version': 'Secrets',
  'deprecate module': 'Modules',
  'terraform registry token': 'Module tokens',
  'find leaked secret': 'Find a value',
  'diff secret': 'Secrets',
  'undo delete': 'Recycle bin',
  'export audit log': 'Activity',
  unseal: 'Connections',
  quota: 'Box registry settings',
  expiring: 'Overview',
  'who logged in': 'Activity',
  policies: 'Cloud roles',
  timezone: 'Time zone: UTC',
  'who is online': 'Sessions',
  'remove user': 'People',
  'copy secret': 'Secrets',
  'sign in to production': 'Environment: Production',
  'empty trash': 'Recycle bin',
  certificate: 'Credential sources',
};

test('finds the command that engineers mean', () => {
  const wrong = Object.entries(phrases)
    .map(([text, label]) => [
      text,
      label,
      ...search(text)
        .slice(0, 3)
        .map((item) => item.label),
    ])
    .filter(([, label, first]) => label !== first);
  expect(wrong).toEqual([]);
  expect(Object.keys(phrases).length).toBeGreaterThanOrEqual(80);
});

test('ranks the word itself above its synonyms', () => {
  const labels = search('new').map(({ label }) => label);
  expect(labels.slice(0, 6).filter((label) => !label.startsWith('New '))).toEqual([]);
});

test('finds nothing for words that no command has', () => {
  expect(search('xylophone')).toEqual([]);
  expect(search('target xylophone')).toEqual([]);
  expect(withMost('xylophone')).toEqual([]);
  expect(withMost('no such thing anywhere')).toEqual([]);
});

test.each([
  ['promote staging xylophone', 'Replication'],
  ['compare staging production', 'Compare clusters'],
  ['publish xylophone', 'Publish a box'],
])('finds the command that has the most of the words: %s', (text, label) => {
  expect(search(text)).toEqual([]);
  expect(withMost(text)[0]?.label).toBe(label);
});

test.each([
  ['orders password', undefined, ['secret', 'person'], 'orders'],
  ['orders-db', undefined, [], 'orders-db'],
  ['connect postgres-1', 'authorize', [], 'postgres-1'],
  ['ssh bastion', 'authorize', [], 'bastion'],
  ['authorize postgres-1', 'authorize', [], 'postgres-1'],
  ['delete user ines', 'delete', ['person'], 'ines'],
  ['ines', undefined, [], 'ines'],
  ['who uses vpc', 'uses', [], 'vpc'],
  ['upgrade artifactory', 'upgrade', [], 'artifactory'],
  ['deploy keys', 'credentials', [], 'deploy'],
  ['revoke leases of ci', 'leases', [], 'leases ci'],
  ['edit orders database', 'edit', ['target'], 'orders'],
  ['rotate password of orders', 'edit', ['secret', 'person'], 'orders'],
  ['compare orders', 'versions', [], 'orders'],
  ['compare orders with staging', 'environments', [], 'orders'],
  ['edit staging', 'edit', [], 'staging'],
  ['delete', undefined, [], 'delete'],
  ['box', undefined, [], 'box'],
  ['who can reach orders', 'reach', [], 'orders'],
  ['database password', undefined, ['secret', 'person'], 'database'],
  ['delete user', undefined, [], 'delete user'],
] as const)('separates verbs and kinds from the search text: %s', (text, verb, kinds, name) => {
  expect(questionOf(text, ['staging', 'Staging'])).toEqual({ verb, kinds, text: name });
});
