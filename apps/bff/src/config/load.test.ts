import { readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { servesHttps } from './config.ts';
import { embeddedConfig } from './embedded.ts';
import { settingsOf } from './environment.ts';
import { loadConfig, parseConfig } from './load.ts';

const testFile = (name: string): URL => new URL(`../../test/certificate/${name}`, import.meta.url);
const certificate = readFileSync(testFile('localhost.crt'), 'utf8');
const key = readFileSync(testFile('localhost.key'), 'utf8');
const crt = testFile('localhost.crt').pathname;

const minimal = `environments:
  - id: production
    name: Production
    kind: production
    services:
      access:
        url: https://boundary.example:9200
`;

const message = (text: string): string => {
  try {
    parseConfig(text, 'gatehouse.yaml');
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('a configuration file', () => {
  test('names a namespace with or without a slash at its end', () => {
    const text = minimal.replace('access:', 'secrets:\n        namespace: team/app/');
    expect(parseConfig(text, 'gatehouse.yaml').environments[0]?.services.secrets?.namespace).toBe('team/app');
  });

  test('with minimal content gets all defaults', () => {
    expect(parseConfig(minimal, 'gatehouse.yaml')).toEqual({
      console: { host: '127.0.0.1', port: 8080, allowedHosts: [], trustedProxies: [] },
      environments: [
        {
          id: 'production',
          name: 'Production',
          kind: 'production',
          sharedAccounts: false,
          services: {
            access: {
              endpoint: { kind: 'url', url: new URL('https://boundary.example:9200') },
              signIn: ['password', 'token'],
            },
          },
        },
      ],
      keys: undefined,
    });
  });

  test('accepts the documented example', () => {
    const documentation = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(documentation)?.[1] ?? '';
    using folder = temporaryFolder();
    for (const name of ['console.crt', 'boundary-ca.pem', 'vault-ca.pem', 'internal-ca.pem'])
      writeFileSync(folder.file(name), certificate);
    writeFileSync(folder.file('console.key'), key);
    writeFileSync(folder.file('gatehouse.yaml'), example);
    const config = loadConfig(folder.file('gatehouse.yaml'));
    expect(config.environments.map(({ id }) => id)).toEqual(['production', 'staging']);
    expect(config.environments[0]?.services.secrets).toEqual({
      endpoint: { kind: 'url', url: new URL('https://vault.example:8200') },
      ca: certificate,
      signIn: ['password', 'token'],
      clientUrl: new URL('https://secrets.example'),
      namespace: 'team/app',
      passwordMount: 'ldap',
    });
    expect(config.environments[0]?.services.modules).toEqual({
      endpoint: { kind: 'url', url: new URL('https://registry.example') },
      signIn: ['password', 'token'],
      clientUrl: new URL('https://modules.example'),
      archiveOrigins: ['https://store.internal.example'],
    });
    expect(config.environments[1]?.services.secrets?.endpoint).toEqual({
      kind: 'socket',
      path: '/run/gatehouse/secrets.sock',
    });
    expect(config.moves).toEqual({
      sources: ['https://boxes.internal.example', 'http://10.1.2.3:8300'],
      ca: certificate,
    });
    expect(config.console.tls).toEqual({ cert: certificate, key });
    expect(servesHttps(config)).toBe(true);
  });

  test.each([
    [
      'an unknown setting',
      minimal.replace('kind: production', 'kind: production\n    color: red'),
      "gatehouse.yaml:5: environments.0.color: This setting doesn't exist.",
    ],
    [
      'a wrong kind',
      minimal.replace('kind: production', 'kind: prod'),
      /^gatehouse\.yaml:4: environments\.0\.kind: /,
    ],
    [
      'a bad id',
      minimal.replace('id: production', 'id: Production'),
      /^gatehouse\.yaml:2: environments\.0\.id: /,
    ],
    [
      'a bad namespace',
      minimal.replace('access:', 'secrets:\n        namespace: a//b'),
      'gatehouse.yaml:7: environments.0.services.secrets.namespace: Use a path such as team/app, and none for the root namespace.',
    ],
    ...['root', 'team/./app', '../team', 'te am', '/team', ''].map((name): [string, string, RegExp] => [
      `the namespace "${name}"`,
      minimal.replace('access:', `secrets:\n        namespace: "${name}"`),
      /secrets\.namespace: Use a path/,
    ]),
    [
      'a mount that is none',
      minimal.replace('access:', 'secrets:\n        password_mount: /userpass/'),
      /^gatehouse\.yaml:7: environments\.0\.services\.secrets\.password_mount: /,
    ],
    [
      'an origin with a path',
      minimal.replace('access:', 'modules:\n        archive_origins: [https://x.example/y]'),
      /^gatehouse\.yaml:7: environments\.0\.services\.modules\.archive_origins\.0: Use an origin/,
    ],
    [
      'a source of moves with a path',
      `moves:\n  sources: [http://10.1.2.3:8300/api]\n${minimal}`,
      /^gatehouse\.yaml:2: moves\.sources\.0: Use an origin/,
    ],
    [
      'a bad address',
      minimal.replace('https://boundary.example:9200', 'ftp://x'),
      'gatehouse.yaml:7: environments.0.services.access.url: Use an http or https address without user, query or fragment.',
    ],
    [
      'a password in an address',
      minimal.replace('https://', 'https://me:canary@'),
      /Use an http or https address without user/,
    ],
    [
      'two endpoints',
      `${minimal}        socket: /run/x.sock\n`,
      'gatehouse.yaml:7: environments.0.services.access: Use either url or socket.',
    ],
    [
      'no environment',
      'environments: []\n',
      /^gatehouse\.yaml:1: environments: Configure at least one environment\./,
    ],
    [
      'two of one id',
      minimal + minimal.replace('environments:\n', ''),
      /Two environments have the same ID\./,
    ],
    ['a bad port', `console:\n  port: 65536\n${minimal}`, /^gatehouse\.yaml:2: console\.port: /],
    [
      'a bad proxy',
      `console:\n  trusted_proxies:\n    - 10.0.0.0/33\n${minimal}`,
      /^gatehouse\.yaml:3: console\.trusted_proxies\.0: Use an IP address/,
    ],
    ['a key twice', `${minimal}environments: []\n`, /^gatehouse\.yaml:8: /],
    ['broken YAML', 'environments: [', /^gatehouse\.yaml:1: /],
    ['nothing', '', /^gatehouse\.yaml:1: /],
    [
      'a missing certificate',
      `console:\n  tls: {cert: gone.crt, key: gone.key}\n${minimal}`,
      /^gatehouse\.yaml:2: console\.tls\.cert: \/.*\/gone\.crt can't be read \(ENOENT\)\.$/,
    ],
    [
      'a certificate with the key of nothing',
      `console:\n  tls: {cert: ${crt}, key: ${crt}}\n${minimal}`,
      /^gatehouse\.yaml:2: console\.tls: This certificate and key can't be used \(/,
    ],
    [
      'a missing authority',
      `${minimal}        ca: gone.pem\n`,
      /^gatehouse\.yaml:8: environments\.0\.services\.access\.ca: \/.*\/gone\.pem can't be read \(ENOENT\)\.$/,
    ],
    [
      'an authority that is no PEM',
      `${minimal}        ca: ${import.meta.filename}\n`,
      `gatehouse.yaml:8: environments.0.services.access.ca: ${import.meta.filename} contains no PEM certificate.`,
    ],
    [
      'a key as an authority of moves',
      `moves:\n  sources: []\n  ca: ${testFile('localhost.key').pathname}\n${minimal}`,
      /^gatehouse\.yaml:3: moves\.ca: .* contains no PEM certificate\.$/,
    ],
  ])('reports %s in one line with its place', (_what, text, expected) => {
    const told = message(text);
    if (typeof expected === 'string') expect(told).toBe(expected);
    else expect(told).toMatch(expected);
    expect(told).not.toContain('\n');
    expect(told).not.toContain('canary');
  });
});

describe('an address that other machines can reach', () => {
  test.each([
    ['host: 0.0.0.0', false],
    ['host: 192.0.2.1', false],
    ['host: 0.0.0.0\n  public_url: https://gatehouse.example', false],
    ['host: 0.0.0.0\n  trusted_proxies: [10.0.0.1]', false],
    ['host: 0.0.0.0\n  public_url: http://gatehouse.example\n  trusted_proxies: [10.0.0.1]', false],
    ['host: 0.0.0.0\n  public_url: https://gatehouse.example\n  trusted_proxies: [10.0.0.1]', true],
    ['host: 127.0.0.1', true],
    ["host: '::1'", true],
    ['host: console.localhost', true],
    ['host: localhost', true],
  ])('requires TLS or a trusted proxy; accepts %j: %j', (settings, accepted) => {
    const told = message(`console:\n  ${settings}\n${minimal}`);
    if (accepted) expect(told).toBe('accepted');
    else
      expect(told).toMatch(
        /^console\.host is .*, which isn't a loopback address, so the console needs console\.tls, or console\.trusted_proxies/,
      );
  });

  test('applies the same rule to host and port from environment variables', () => {
    expect(() => parseConfig(minimal, 'x', { host: '0.0.0.0' })).toThrow(ConfigError);
    // It would listen on all interfaces.
    expect(() => parseConfig(minimal, 'x', { host: '' })).toThrow(/isn't a loopback address/);
    expect(parseConfig(minimal, 'x', { port: 9 }).console.port).toBe(9);
    expect(() => embeddedConfig({ sockets: { access: '/x' }, console: { host: '0.0.0.0' } })).toThrow(
      ConfigError,
    );
  });
});

test('variables', () => {
  expect(() => settingsOf({})).toThrow(/GATEHOUSE_CONFIG isn't set/);
  for (const port of ['x', '-1', '65536'])
    expect(() => settingsOf({ GATEHOUSE_CONFIG: 'a', GATEHOUSE_PORT: port })).toThrow(/GATEHOUSE_PORT is/);
  expect(settingsOf({ GATEHOUSE_CONFIG: 'a', GATEHOUSE_PORT: '0' })).toEqual({
    configFile: 'a',
    dataDir: './data',
    port: 0,
  });
  const empty = { GATEHOUSE_HOST: '', GATEHOUSE_PORT: '', GATEHOUSE_DATA: '', GATEHOUSE_KEYS: '' };
  expect(settingsOf({ GATEHOUSE_CONFIG: 'a', ...empty })).toEqual({ configFile: 'a', dataDir: './data' });
});

test('shares accounts and needs no file in the embedded configuration', () => {
  expect(
    embeddedConfig({
      sockets: { access: '/run/access.sock', secrets: '/run/secrets.sock' },
      secretsUrl: new URL('http://127.0.0.1:8200'),
    }).environments,
  ).toMatchObject([
    {
      id: 'local',
      kind: 'development',
      sharedAccounts: true,
      services: {
        access: { endpoint: { kind: 'socket', path: '/run/access.sock' } },
        secrets: {
          endpoint: { kind: 'socket', path: '/run/secrets.sock' },
          clientUrl: new URL('http://127.0.0.1:8200'),
        },
      },
    },
  ]);
});
