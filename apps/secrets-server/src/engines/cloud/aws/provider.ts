import { Agent as HttpAgent } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { GetUserCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { fromIni } from '@aws-sdk/credential-provider-ini';
import { lookupInTurn } from '@gatehouse/service-kit/lookup-in-turn';
import { boundedAnswer } from '@gatehouse/service-kit/sdk-answer';
import { DEFAULT_MAX_ATTEMPTS, StandardRetryStrategy } from '@smithy/core/retry';
import { fromContainerMetadata, fromInstanceMetadata } from '@smithy/credential-provider-imds';
import type {
  RetryStrategyV2,
  RetryToken,
  StandardRetryToken,
  AwsCredentialIdentityProvider,
} from '@smithy/types';
import { keysOf, regionOf, type Environment, type RootConfig } from '#domain/cloud/root.ts';
import type { Provider } from '../provider.ts';
import { call } from './call.ts';
import { groupPolicies } from './group-policies.ts';
import { assumeRole, federationToken } from './sessions.ts';
import {
  createAccessKey,
  createUser,
  deleteAccessKey,
  equipUser,
  listAccessKeys,
  removeUser,
} from './users.ts';

/** The time limit for the machine's own credential service, in milliseconds. */
const metadataTimeout = 1000;

/** Time limits in milliseconds: for a connection, for an attempt, and for a call with all its attempts. */
const deadlines = { connection: 5000, attempt: 15_000, call: 45_000 };

/**
 * The connections to all endpoints, which all engines share: a provider that isn't needed any more leaves nothing to
 * close. Their number has no limit of its own, since a call's time limit must not include a wait for one: that of the
 * requests and removals at once limits it. Idle ones are closed after some seconds.
 */
const idle = { keepAlive: true, maxFreeSockets: 8, timeout: 5000 };
const agentsOf = (options: AgentOptions) => ({
  httpAgent: new HttpAgent(options),
  httpsAgent: new HttpsAgent(options),
});
const agents = {
  ofProvider: agentsOf(idle),
  /** To endpoints in the configuration of an engine. */
  ofEndpoints: agentsOf({ ...idle, lookup: lookupInTurn }),
};

/** The maximum size of an answer in bytes. A page of a list has up to 100 entries, and a policy a few kilobytes. */
const mostAnswered = 128 * 1024;

/** Creates a provider with the AWS SDK. @param closed aborts the calls in progress */
export function openProvider(config: RootConfig, environment: Environment, closed: AbortSignal): Provider {
  const credentials = keysOf(config, environment) ?? machineCredentials(environment);
  const settingsFor = (endpoint: string) => ({
    ...(endpoint !== '' && { endpoint }),
    region: regionOf(config, environment),
    credentials,
    // Only the engine's configuration sets the endpoints.
    ignoreConfiguredEndpointUrls: true,
    requestHandler: {
      ...(endpoint === '' ? agents.ofProvider : agents.ofEndpoints),
      connectionTimeout: deadlines.connection,
      requestTimeout: deadlines.attempt,
      throwOnRequestTimeout: true,
    },
    retryStrategy: retriesOfACall(config.maxRetries),
  });
  const iam = new IAMClient(settingsFor(config.iamEndpoint));
  const sts = new STSClient(settingsFor(config.stsEndpoint));
  const answers = boundedAnswer({ bytes: () => mostAnswered, ms: deadlines.attempt });
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
    groupPolicies: (...asked) => groupPolicies(iam, until(), ...asked),
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
  };
}

/**
 * Creates the SDK's retry strategy with separate counts for each call. The default strategy has one retry budget for
 * all calls of a client. Frequent failures use it up, and then no retries are left for cleaning up.
 * @param retries after the first attempt; -1 for the SDK's default
 */
function retriesOfACall(retries: number): RetryStrategyV2 {
  const attempts = retries < 0 ? DEFAULT_MAX_ATTEMPTS : retries + 1;
  const calls = new WeakMap<RetryToken, { strategy: StandardRetryStrategy; token: StandardRetryToken }>();
  const keep = (strategy: StandardRetryStrategy, token: StandardRetryToken): RetryToken => {
    calls.set(token, { strategy, token });
    return token;
  };
  return {
    async acquireInitialRetryToken(scope) {
      const strategy = new StandardRetryStrategy(attempts);
      return keep(strategy, await strategy.acquireInitialRetryToken(scope));
    },
    async refreshRetryTokenForRetry(given, info) {
      const call = calls.get(given);
      if (call === undefined) throw new Error('a retry of an unknown call');
      return keep(call.strategy, await call.strategy.refreshRetryTokenForRetry(call.token, info));
    },
    recordSuccess() {},
  };
}

/**
 * Finds credentials if neither the configuration nor the environment has any: shared files, then the machine's role.
 */
function machineCredentials(environment: Environment): AwsCredentialIdentityProvider {
  const files = fromIni({
    ...(environment['AWS_PROFILE'] !== undefined && { profile: environment['AWS_PROFILE'] }),
    ...(environment['AWS_SHARED_CREDENTIALS_FILE'] !== undefined && {
      filepath: environment['AWS_SHARED_CREDENTIALS_FILE'],
    }),
    ...(environment['AWS_CONFIG_FILE'] !== undefined && { configFilepath: environment['AWS_CONFIG_FILE'] }),
  });
  const inContainer =
    environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] !== undefined ||
    environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'] !== undefined;
  const role = (inContainer ? fromContainerMetadata : fromInstanceMetadata)({
    timeout: metadataTimeout,
    maxRetries: 1,
  });
  const withoutRole = environment['AWS_EC2_METADATA_DISABLED'] === 'true' && !inContainer;
  return async () => {
    try {
      return await files();
    } catch (error) {
      if (withoutRole) throw error;
      return await role();
    }
  };
}
