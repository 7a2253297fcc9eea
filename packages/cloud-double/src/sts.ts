import { CloudFault } from './fault.ts';
import type { Action } from './iam.ts';
import type { Parameters } from './parameters.ts';
import { providerId, providerSecret } from './state.ts';
import type { Xml } from './xml.ts';

const shortest = 900;
const longestFederation = 129_600;

/** Handlers of STS's calls by name. */
export const stsActions: Readonly<Record<string, Action>> = {
  GetCallerIdentity: (state, _parameters, caller) => ({
    Arn: caller.arn,
    UserId: `AIDA${caller.name.length}`,
    Account: state.account,
  }),

  AssumeRole(state, parameters, caller, now) {
    const role = parameters.required('RoleArn');
    const session = named(parameters.required('RoleSessionName'), 64, 'roleSessionName');
    const longest = state.roles.get(role);
    const externalId = state.externalIds.get(role);
    if (longest === undefined || (externalId !== undefined && externalId !== parameters.text('ExternalId'))) {
      const text = `User: ${caller.arn} is not authorized to perform: sts:AssumeRole on resource: ${role}`;
      throw new CloudFault(403, 'AccessDenied', text);
    }
    const seconds = secondsOf(parameters, longest, 3600);
    const arn = `arn:aws:sts::${state.account}:assumed-role/${role.slice(role.lastIndexOf('/') + 1)}/${session}`;
    return {
      AssumedRoleUser: { Arn: arn, AssumedRoleId: `AROA0:${session}` },
      Credentials: credentials(now, seconds),
    };
  },

  GetFederationToken(state, parameters, _caller, now) {
    const name = named(parameters.required('Name'), 32, 'name');
    const seconds = secondsOf(parameters, longestFederation, 43_200);
    return {
      FederatedUser: {
        Arn: `arn:aws:sts::${state.account}:federated-user/${name}`,
        FederatedUserId: `${state.account}:${name}`,
      },
      Credentials: credentials(now, seconds),
    };
  },
};

function named(name: string, longest: number, field: string): string {
  if (/^[\w+=,.@-]{2,}$/.test(name) && name.length <= longest) return name;
  throw new CloudFault(400, 'ValidationError', `Value '${name}' at '${field}' failed to satisfy constraint`);
}

function secondsOf(parameters: Parameters, longest: number, usual: number): number {
  const seconds = Number(parameters.text('DurationSeconds') || usual);
  if (seconds < shortest) {
    const text = `Value '${seconds}' at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to ${shortest}`;
    throw new CloudFault(400, 'ValidationError', text);
  }
  if (seconds > longest) {
    const text = 'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.';
    throw new CloudFault(400, 'ValidationError', text);
  }
  return seconds;
}

function credentials(now: number, seconds: number): Xml {
  return {
    AccessKeyId: providerId('ASIA'),
    SecretAccessKey: providerSecret(),
    SessionToken: providerSecret() + providerSecret(),
    Expiration: new Date(now + seconds * 1000).toISOString(),
  };
}
