/** Cloud credentials as the programs read them that use them. */
import type { CloudCredential } from '@gatehouse/api-types/console/cloud-credentials';
import { argument, shellWord } from '#components/form/as-code.ts';
import { commandFor, type SecretsClient } from '#components/form/secrets-client.ts';

export type Keys = Pick<CloudCredential, 'access_key' | 'secret_key' | 'security_token' | 'expire_time'>;

/** Lines for a POSIX shell. A token that an earlier session left there would make long-lived keys fail: it is unset. */
export function environmentLines({ access_key, secret_key, security_token }: Keys, region = ''): string {
  return [
    `export AWS_ACCESS_KEY_ID=${shellWord(access_key)}`,
    `export AWS_SECRET_ACCESS_KEY=${shellWord(secret_key)}`,
    security_token === null
      ? 'unset AWS_SESSION_TOKEN'
      : `export AWS_SESSION_TOKEN=${shellWord(security_token)}`,
    // Some libraries read the one, others the other.
    ...(region === ''
      ? []
      : [`export AWS_REGION=${shellWord(region)}`, 'export AWS_DEFAULT_REGION="$AWS_REGION"']),
  ].join('\n');
}

/** A profile for ~/.aws/credentials. The file knows no quotes: a value ends with its line. */
export function profileBlock(
  name: string,
  { access_key, secret_key, security_token }: Keys,
  region = '',
): string {
  const line = (key: string, value: string): string => `${key} = ${inOneLine(value)}`;
  return [
    `[${name}]`,
    line('aws_access_key_id', access_key),
    line('aws_secret_access_key', secret_key),
    ...(security_token === null ? [] : [line('aws_session_token', security_token)]),
    ...(region === '' ? [] : [line('region', region)]),
  ].join('\n');
}

/**
 * A value without control characters: in a file of profiles what follows a line break is a setting of its own, such as
 * another command, and the word with which a shell would get any other is not known to `sh`.
 */
function inOneLine(value: string): string {
  return value.replaceAll(/\p{Cc}/gu, '');
}

/** The name of a profile, made of where its credentials come from. */
export function profileName(mount: string, role: string): string {
  return `${mount}-${role}`.replaceAll(/[^\w.@-]+/g, '-');
}

/** The fields that STS answers. */
export function jsonText(keys: Keys): string {
  return JSON.stringify(fieldsOf(keys), null, 2);
}

/** What a command named by `credential_process` prints. */
export function processOutput(keys: Keys): string {
  return JSON.stringify({ Version: 1, ...fieldsOf(keys) }, null, 2);
}

function fieldsOf({
  access_key,
  secret_key,
  security_token,
  expire_time,
}: Keys): Readonly<Record<string, string>> {
  return {
    AccessKeyId: access_key,
    SecretAccessKey: secret_key,
    ...(security_token !== null && { SessionToken: security_token }),
    ...(expire_time !== '' && { Expiration: expire_time }),
  };
}

export interface ProcessCommand {
  readonly mount: string;
  readonly role: string;
  readonly from: 'creds' | 'sts';
  readonly roleArn?: string | undefined;
  readonly sessionName?: string | undefined;
  readonly ttl?: string | undefined;
  /** Empty where it is not known. */
  readonly region?: string;
}

const program =
  '{Version: 1, AccessKeyId: .data.access_key, SecretAccessKey: .data.secret_key, SessionToken: .data.security_token, Expiration: (now + .lease_duration | todate)} | with_entries(select(.value != null))';

/** A profile for ~/.aws/config that asks the secrets server each time, and holds no key. */
export function processProfile(
  name: string,
  { mount, role, from, roleArn, sessionName, ttl, region = '' }: ProcessCommand,
  client: SecretsClient,
): string {
  const given = Object.entries({ role_arn: roleArn, role_session_name: sessionName, ttl }).flatMap(
    ([key, value]) => (value === undefined || value === '' ? [] : [`${key}=${value}`]),
  );
  const words = ['vault read -format=json', argument(inOneLine(`${mount}/${from}/${role}`))]
    .concat(given.map((word) => shellWord(inOneLine(word))))
    .join(' ');
  return [
    `[profile ${name}]`,
    `credential_process = sh -c ${shellWord(`${commandFor(words, client)} | jq "${program}"`)}`,
    ...(region === '' ? [] : [`region = ${inOneLine(region)}`]),
  ].join('\n');
}

/** A session name as it is sent: what IAM doesn't take becomes `-`, and it ends at its limit. */
export function sentSessionName(typed: string, limit: number): string {
  return typed
    .trim()
    .replaceAll(/[^\w+=,.@-]/g, '-')
    .slice(0, limit);
}
