import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Answer, Handler, Request } from '../../core/backend.ts';
import { emptyBody, type Body } from '../../core/body.ts';
import { durationField, textField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import { combineDocuments } from '../../domain/cloud/policy-document.ts';
import { credentialTypeAt, stsTtl, type CloudRole, type CredentialPath } from '../../domain/cloud/role.ts';
import { systemTtl } from '../../domain/token/token.ts';
import type { Engine } from './engine.ts';
import { cloudEngine, userTimes, type IssuedUser } from './keeper.ts';
import {
  type Provider,
  type SessionCredentials,
  type SessionPolicies,
  ProviderFault,
  refusalOf,
} from './provider.ts';

export function issueCredentials(engine: Engine, path: CredentialPath): Handler {
  return async (request, { name = '' }) => {
    const role = engine.store.role(request.mount.id, name);
    if (role === undefined) throw badRequest(`Role ${JSON.stringify(name)} not found`);
    const asked = askedOf(request);
    const type = credentialTypeAt(role, path);
    if (typeof type === 'object') throw badRequest(type.refusal);
    const issue = (): Promise<Answer> => {
      switch (type) {
        case 'iam_user':
          return issueUser(engine, request, name, role, asked);
        case 'assumed_role':
          return issueRole(engine, request, name, role, asked);
        case 'federation_token':
          return issueFederation(engine, request, role, asked);
      }
    };
    try {
      return await engine.inTurn(request, issue);
    } catch (error) {
      throw error instanceof ProviderFault ? refusalOf(error) : error;
    }
  };
}

/** The parameters of a request. */
interface Asked {
  readonly roleArn: string;
  readonly sessionName: string;
  /** In seconds; 0 if not given. */
  readonly ttl: number;
}

function askedOf({ operation, query, body: sent }: Request): Asked {
  const body: Body = operation === 'read' ? { ...emptyBody, values: Object.fromEntries(query) } : sent;
  const ttl = durationField(body, 'ttl') ?? 0;
  if (ttl < 0) throw badRequest('ttl must not be negative');
  return {
    roleArn: textField(body, 'role_arn') ?? '',
    sessionName: textField(body, 'role_session_name') ?? '',
    ttl,
  };
}

async function issueUser(
  engine: Engine,
  request: Request,
  roleName: string,
  role: CloudRole,
  asked: Asked,
): Promise<Answer> {
  const { mount, now } = request;
  const userName = newUserName(displayName(request), roleName, now);
  const user = {
    userName,
    path: role.userPath,
    permissionsBoundaryArn: role.permissionsBoundaryArn,
    tags: role.iamTags ?? {},
    policyArns: role.policyArns ?? [],
    policyDocument: role.policyDocument,
    groups: role.iamGroups ?? [],
  };
  return engine.undoing.make(mount, {
    undo: { kind: 'user', userName },
    start: (provider) => provider.createUser(user),
    async finish(provider, arn, keep) {
      await provider.equipUser(user);
      const key = await provider.createAccessKey(userName, []);
      const issued: IssuedUser = { mountId: mount.id, userName, arn };
      const lease = await engine.leases.issue({
        engine: cloudEngine,
        request,
        ...userTimes(engine.store, mount),
        renewable: true,
        data: issued,
        within: keep,
      });
      return {
        lease,
        data: { access_key: key.accessKey, secret_key: key.secretKey, security_token: null },
        warnings: warningsOf(asked),
      };
    },
  });
}

function warningsOf({ ttl, roleArn }: Asked): string[] {
  const ignored = [...(ttl > 0 ? ['ttl'] : []), ...(roleArn === '' ? [] : ['role_arn'])];
  return ignored.map((name) => `"${name}" has no effect on credentials of type iam_user`);
}

async function issueRole(
  engine: Engine,
  request: Request,
  roleName: string,
  role: CloudRole,
  asked: Asked,
): Promise<Answer> {
  const allowed = role.roleArns ?? [];
  const [only] = allowed;
  const roleArn = asked.roleArn === '' && allowed.length === 1 ? only : asked.roleArn;
  if (roleArn === undefined || roleArn === '') {
    throw badRequest('did not supply a role_arn parameter and unable to determine one');
  }
  if (!allowed.includes(roleArn)) {
    throw badRequest(
      `role_arn ${JSON.stringify(roleArn)} not in allowed role arns for Vault role ${JSON.stringify(roleName)}`,
    );
  }
  const session =
    asked.sessionName === ''
      ? newUserName(displayName(request), roleName, request.now)
      : sessionName(asked.sessionName);
  const ttl = ttlOf(request, role, asked);
  const provider = await engine.providers.of(request.mount.id);
  const credentials = await provider.assumeRole(
    roleArn,
    session,
    ttl,
    await policiesOf(request, provider, role),
    {
      tags: role.sessionTags ?? {},
      externalId: role.externalId,
    },
  );
  const { arn } = credentials;
  return issueSession(engine, request, ttl, credentials, { arn });
}

async function issueFederation(
  engine: Engine,
  request: Request,
  role: CloudRole,
  asked: Asked,
): Promise<Answer> {
  const ttl = ttlOf(request, role, asked);
  const provider = await engine.providers.of(request.mount.id);
  const name = newFederatedName(request.now);
  const credentials = await provider.federationToken(name, ttl, await policiesOf(request, provider, role));
  return issueSession(engine, request, ttl, credentials, {});
}

function ttlOf({ mount }: Request, role: CloudRole, { ttl }: Asked): number {
  return stsTtl(role, ttl, mount.config.maxLeaseTtl > 0 ? mount.config.maxLeaseTtl : systemTtl);
}

async function policiesOf(
  { giveWay }: Request,
  provider: Provider,
  role: CloudRole,
): Promise<SessionPolicies> {
  const groups = await provider.groupPolicies(role.iamGroups ?? [], role.policyDocument, giveWay);
  const own = role.policyDocument === '' ? [] : [role.policyDocument];
  return {
    policyDocument: combineDocuments([...own, ...groups.documents]),
    policyArns: [...new Set([...(role.policyArns ?? []), ...groups.policyArns])],
  };
}

/** @param asked in seconds */
async function issueSession(
  engine: Engine,
  request: Request,
  asked: number,
  credentials: SessionCredentials,
  more: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { accessKey, secretKey, sessionToken, expireTime } = credentials;
  // The provider may grant a shorter time, and its clock may differ.
  const left = expireTime === undefined ? asked : Math.round((expireTime - engine.clock.now()) / 1000);
  const ttl = left > 0 ? Math.min(asked, left) : asked;
  const issued: IssuedUser = null;
  const lease = await engine.leases.issue({
    engine: cloudEngine,
    request,
    ttl,
    maxTtl: ttl,
    renewable: false,
    data: issued,
  });
  return {
    lease,
    data: { access_key: accessKey, ...more, secret_key: secretKey, security_token: sessionToken, ttl },
  };
}

function displayName({ caller }: Request): string {
  return caller?.displayName ?? '';
}

/** The maximum length of the names of users and sessions, in characters. */
const longestName = 64;
/** The maximum length of a federated user's name, in characters. */
const longestFederatedName = 32;
const randomLength = 16;

/**
 * Generates the name of a new user, or of a session requested without a name. The `vault-` prefix is that of other
 * secrets servers, because policies at the provider often match `vault-*`.
 * @param displayName of the requesting token
 * @param now milliseconds since the epoch
 */
function newUserName(displayName: string, role: string, now: number): string {
  const end = `-${Math.floor(now / 1000)}-${randomBase62(randomLength)}`;
  const start = `vault-${displayName}-${role}`.slice(0, longestName - end.length);
  return clean(start) + end;
}

/** Generates the name of a federated user. @param now milliseconds since the epoch */
function newFederatedName(now: number): string {
  return `vault-${Math.floor(now / 1000)}-${randomBase62(randomLength)}`.slice(0, longestFederatedName);
}

/** Makes a session name valid at the provider: truncates it to 64 characters and replaces disallowed ones. */
function sessionName(wished: string): string {
  return clean(wished.slice(0, longestName));
}

function clean(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9+=,.@_-]/gu, '_');
}
