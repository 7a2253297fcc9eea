import { AssumeRoleCommand, GetFederationTokenCommand } from '@aws-sdk/client-sts';
import type { Credentials, STSClient } from '@aws-sdk/client-sts';
import type { SessionCredentials, SessionPolicies, SessionTraits } from '../provider.ts';
import { call, keyIn } from './call.ts';
import type { Deadline } from './users.ts';

/** Assumes a role. @param ttl in seconds @throws ProviderFault */
export async function assumeRole(
  sts: STSClient,
  until: Deadline,
  RoleArn: string,
  RoleSessionName: string,
  ttl: number,
  policies: SessionPolicies,
  { tags, externalId }: SessionTraits,
): Promise<SessionCredentials & { readonly arn: string }> {
  const command = new AssumeRoleCommand({
    RoleArn,
    RoleSessionName,
    DurationSeconds: ttl,
    ...limitsOf(policies),
    ...(externalId !== '' && { ExternalId: externalId }),
    ...(Object.keys(tags).length > 0 && {
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }),
  });
  const doing = 'Error assuming role';
  const { Credentials, AssumedRoleUser } = await call(doing, sts.send(command, until()));
  return { ...credentialsOf(doing, Credentials), arn: AssumedRoleUser?.Arn ?? '' };
}

/** Gets the credentials of a federated user. @param ttl in seconds @throws ProviderFault */
export async function federationToken(
  sts: STSClient,
  until: Deadline,
  Name: string,
  ttl: number,
  policies: SessionPolicies,
): Promise<SessionCredentials> {
  const command = new GetFederationTokenCommand({ Name, DurationSeconds: ttl, ...limitsOf(policies) });
  const doing = 'Error generating STS keys';
  const { Credentials } = await call(doing, sts.send(command, until()));
  return credentialsOf(doing, Credentials);
}

function limitsOf({ policyArns, policyDocument }: SessionPolicies) {
  return {
    ...(policyDocument !== undefined && { Policy: policyDocument }),
    ...(policyArns.length > 0 && { PolicyArns: policyArns.map((arn) => ({ arn })) }),
  };
}

function credentialsOf(doing: string, credentials: Credentials | undefined): SessionCredentials {
  return {
    ...keyIn(doing, credentials),
    sessionToken: credentials?.SessionToken ?? '',
    expireTime: credentials?.Expiration?.getTime(),
  };
}
