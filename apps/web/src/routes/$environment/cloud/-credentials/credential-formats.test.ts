import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  environmentLines,
  jsonText,
  processOutput,
  processProfile,
  profileBlock,
  profileName,
  sentSessionName,
  type Keys,
} from './credential-formats.ts';

const user: Keys = {
  access_key: 'AKIAEXAMPLE',
  secret_key: "a/b+c'd e$(f)`g`\\",
  security_token: null,
  expire_time: '2026-01-01T10:00:00Z',
};
const session: Keys = { ...user, security_token: 'IQoJb3==' };
const usual = { command: 'vault', namespace: null } as const;
const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** The variables in a shell that has run the lines. */
function inShell(lines: string): readonly string[] {
  const print = names.map((name) => `printf '%s\\0' "\${${name}-unset}"`).join('; ');
  const env = { PATH: process.env['PATH'] ?? '', AWS_SESSION_TOKEN: 'of an earlier session' };
  return execFileSync('sh', ['-c', `${lines}\n${print}`], { encoding: 'utf8', env })
    .split('\0')
    .slice(0, 3);
}

describe('environment variables', () => {
  test('contain exactly the keys, and no token of an earlier session', () => {
    expect(inShell(environmentLines(user))).toEqual([user.access_key, user.secret_key, 'unset']);
    expect(inShell(environmentLines(session))).toEqual([user.access_key, user.secret_key, 'IQoJb3==']);
  });

  test('include the region if it is known', () => {
    expect(environmentLines(session, 'eu-central-1').split('\n').slice(3)).toEqual([
      'export AWS_REGION=eu-central-1',
      'export AWS_DEFAULT_REGION="$AWS_REGION"',
    ]);
  });

  test('keep any characters in a key', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((drawn) => !drawn.includes('\0'));
    fc.assert(
      fc.property(text, (secret_key) => {
        expect(inShell(environmentLines({ ...user, secret_key }))[1]).toBe(secret_key);
      }),
      { numRuns: 20 },
    );
  });
});

test('a profile has one line per key', () => {
  expect(profileBlock('cloud-deploy', user).split('\n')).toEqual([
    '[cloud-deploy]',
    'aws_access_key_id = AKIAEXAMPLE',
    `aws_secret_access_key = ${user.secret_key}`,
  ]);
  expect(profileBlock('p', session, 'eu-central-1').split('\n').at(-1)).toBe('region = eu-central-1');
  expect(profileBlock('p', { ...session, security_token: 'a\n[other]' })).toContain(
    'aws_session_token = a[other]',
  );
  expect(profileName('cloud/eu west', 'deploy]\n')).toBe('cloud-eu-west-deploy-');
});

test('JSON has the fields of STS, and a version for `credential_process`', () => {
  expect(JSON.parse(jsonText(session))).toEqual({
    AccessKeyId: 'AKIAEXAMPLE',
    SecretAccessKey: user.secret_key,
    SessionToken: 'IQoJb3==',
    Expiration: '2026-01-01T10:00:00Z',
  });
  expect(JSON.parse(processOutput({ ...user, expire_time: '' }))).toEqual({
    Version: 1,
    AccessKeyId: 'AKIAEXAMPLE',
    SecretAccessKey: user.secret_key,
  });
});

test("a profile's command requests the same credentials, with arguments quoted twice", () => {
  const profile = processProfile(
    'p',
    {
      mount: "it's",
      role: 'deploy',
      from: 'sts',
      roleArn: 'arn:aws:iam::123456789012:role/x',
      ttl: '1h',
    },
    usual,
  );
  const [head, line = ''] = profile.split('\n');
  expect(head).toBe('[profile p]');
  const vault =
    'vault() { printf "%s|" "$@" >&2; printf "{}"; }; jq() { cat >/dev/null; }; sh() { eval "$2"; };';
  const command = line.replace('credential_process = ', '');
  const told = execFileSync('bash', ['-c', `${vault} ${command} 2>&1`], { encoding: 'utf8' });
  expect(told).toBe("read|-format=json|it's/sts/deploy|role_arn=arn:aws:iam::123456789012:role/x|ttl=1h|");
});

test("a profile uses its server's CLI and namespace", () => {
  const text = processProfile(
    'p',
    { mount: '-cloud', role: 'deploy', from: 'creds' },
    { command: 'bao', namespace: 'team' },
  );
  expect(text).toContain('bao read -namespace=team -format=json -- -cloud/creds/deploy |');
});

test('a process profile has a single command for sh, even if values contain control characters', () => {
  const more = '\r\ncredential_process = other\n[profile q]\u0003';
  const text = processProfile(
    'p',
    {
      mount: `cloud${more}`,
      role: `deploy${more}`,
      from: 'sts',
      roleArn: `arn:aws:iam::123456789012:role/x${more}`,
      sessionName: `me${more}`,
      ttl: `1h${more}`,
    },
    usual,
  );
  expect(text.split(/[\r\n]/)).toHaveLength(2);
  expect(text).not.toContain('$');
});

test('a session name is sent without characters that IAM rejects, and cut at the limit', () => {
  expect(sentSessionName(' Ann Möller/ci ', 64)).toBe('Ann-M-ller-ci');
  expect(sentSessionName('a'.repeat(70), 64)).toHaveLength(64);
});
