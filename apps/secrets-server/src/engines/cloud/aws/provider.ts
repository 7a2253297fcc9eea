import { GetUserCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { boundedAnswer } from '@gatehouse/service-kit/sdk-answer';
import { keysOf, regionOf } from '#domain/cloud/root.ts';
import type { Environment, RootConfig } from '#domain/cloud/root.ts';
import type { Provider } from '../provider.ts';
import { call } from './call.ts';
import { machineCredentials } from './credentials.ts';
import { groupPolicies } from './groups.ts';
import { retriesOfACall } from './retries.ts';
import { assumeRole, federationToken } from './sessions.ts';
import {
  createAccessKey,
  createUser,
  deleteAccessKey,
  equipUser,
  listAccessKeys,
  removeUser,
} from './users.ts';

/** Of a connection, of an attempt, and of a call with all its attempts, in milliseconds. */
const deadlines = { connection: 5000, attempt: 15_000, call: 45_000 };

/** Bytes of an answer: a page of a list has up to 100 entries, and a policy some kilobytes. */
const mostAnswered = 128 * 1024;

/** The provider by its SDK. @param closed ends what is under way */
export function openProvider(config: RootConfig, environment: Environment, closed: AbortSignal): Provider {
  const settings = {
    region: regionOf(config, environment),
    credentials: keysOf(config, environment) ?? machineCredentials(environment),
    // Where it is asked is said by the engine's configuration alone.
    ignoreConfiguredEndpointUrls: true,
    requestHandler: {
      connectionTimeout: deadlines.connection,
      requestTimeout: deadlines.attempt,
      throwOnRequestTimeout: true,
    },
    retryStrategy: retriesOfACall(config.maxRetries),
  };
  const iam = new IAMClient({
    ...settings,
    ...(config.iamEndpoint !== '' && { endpoint: config.iamEndpoint }),
  });
  const sts = new STSClient({
    ...settings,
    ...(config.stsEndpoint !== '' && { endpoint: config.stsEndpoint }),
  });
  const answers = boundedAnswer({ bytes: mostAnswered, ms: deadlines.attempt });
  const early = { step: 'deserialize', priority: 'low', name: 'boundedAnswer' } as const;
  iam.middlewareStack.add(answers, early);
  sts.middlewareStack.add(answers, early);
  const until = () => ({ abortSignal: AbortSignal.any([closed, AbortSignal.timeout(deadlines.call)]) });

  return {
    ownKey: keysOf(config, environment)?.accessKeyId ?? '',
    origin: config.origin,
    createUser: (user) => createUser(iam, until, user),
    equipUser: (user) => equipUser(iam, until, user),
    async createAccessKey(userName, kept) {
      const { attempts, ...key } = await createAccessKey(iam, until, userName);
      if (attempts === 1) return key;
      for (const { id } of await listAccessKeys(iam, until, userName)) {
        if (id !== key.accessKey && !kept.includes(id)) await deleteAccessKey(iam, until, userName, id);
      }
      return key;
    },
    removeUser: (userName) => removeUser(iam, until, userName),
    assumeRole: (...asked) => assumeRole(sts, until, ...asked),
    federationToken: (...asked) => federationToken(sts, until, ...asked),
    groupPolicies: (groups) => groupPolicies(iam, until, groups),
    async ownUserName() {
      const { User } = await call('error calling GetUser', iam.send(new GetUserCommand({}), until()));
      return User?.UserName ?? '';
    },
    async account() {
      const asked = sts.send(new GetCallerIdentityCommand({}), until());
      const { Account } = await call('error calling GetCallerIdentity', asked);
      return Account ?? '';
    },
    accessKeys: (userName) => listAccessKeys(iam, until, userName),
    deleteAccessKey: (userName, id) => deleteAccessKey(iam, until, userName, id),
    close() {
      iam.destroy();
      sts.destroy();
    },
  };
}
