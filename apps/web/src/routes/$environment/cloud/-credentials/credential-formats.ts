/** Writes cloud credentials in the formats that programs read. */
import type { CloudCredential } from '@gatehouse/api-types/console/cloud-credentials';
import { argument, shellWord } from '#components/form/as-code.ts';
import { commandFor, type SecretsClient } from '#components/form/secrets-client.ts';

export type Keys = Pick<CloudCredential, 'access_key' | 'secret_key' | 'security_token' | 'expire_time'>;

/** Lines for a POSIX shell. Unsets the token of an earlier session, which would make long-lived keys fail. */
export function environmentLines({ access_key, secret_key, security_token }: Keys, region = ''): string {
  return [
    `export AWS_ACCESS_KEY_ID=${shellWord(access_key)}`,
    `export AWS_SECRET_ACCESS_KEY=${shellWord(secret_key)}`,
    security_token === null
      ? 'unset AWS_SESSION_TOKEN'
      : `export AWS_SESSION_TOKEN=${shellWord(security_token)}`,
    // Some libraries read one, some the other.
    ...(region === ''
      ? []
      : [`export AWS_REGION=${shellWord(region)}`, 'export AWS_DEFAULT_REGION="$AWS_REGION"']),
  ].join('\n');
}

/** A profile for ~/.aws/credentials. The file format has no quotes: a value ends at the end of its line. */
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
 * The value without control characters: after a line break, a profile file would read another setting, such as another
 * command, and `sh` can't read the quoting of other control characters.
 */
function inOneLine(value: string): string {
  return value.replaceAll(/\p{Cc}/gu, '');
}

/** A profile's name, from the mount and the role. */
export function profileName(mount: string, role: string): string {
  return `${mount}-${role}`.replaceAll(/[^\w.@-]+/g, '-');
}

/** The fields of an STS response. */
export function jsonText(keys: Keys): string {
  return JSON.stringify(fieldsOf(keys), null, 2);
}

/** The output of a `credential_process` command. */
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
  /** Empty if unknown. */
  readonly region?: string;
}

const program =
  '{Version: 1, AccessKeyId: .data.access_key, SecretAccessKey: .data.secret_key, SessionToken: .data.security_token, Expiration: (now + .lease_duration | todate)} | with_entries(select(.value != null))';

/** A profile for ~/.aws/config that requests credentials from the secrets server each time, and contains no keys. */
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

/** A session name as sent: characters that IAM rejects become `-`, and it is cut at the limit. */
export function sentSessionName(typed: string, limit: number): string {
  return typed
    .trim()
    .replaceAll(/[^\w+=,.@-]/g, '-')
    .slice(0, limit);
}
