import { startCloudDouble } from '@gatehouse/cloud-double/double';
import type { CloudDouble } from '@gatehouse/cloud-double/double';
import type { SecretsServerOptions } from '../app.ts';
import type { CloudTimes } from '../engines/cloud/times.ts';
import type { Client, WireAnswer } from './client.ts';
import { as } from './people.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

/** The access key of the engine's own user at the double. */
export const rootKey = { id: 'AKIAROOTROOTROOTROOT', secret: 'root-secret' };
export const roleX = 'arn:aws:iam::123456789012:role/x';
export const roleY = 'arn:aws:iam::123456789012:role/y';
/** A role that can be assumed only with the external ID `partner-7`. */
export const roleZ = 'arn:aws:iam::123456789012:role/z';
export const readOnly = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
export const boundary = 'arn:aws:iam::123456789012:policy/b';
/** A policy document as it is stored. */
export const document =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"ec2:*","Resource":"*"}]}';

/** Short intervals and time limits for tests. */
export const shortTimes: CloudTimes = {
  sweep: 20,
  retry: { first: 1000, longest: 8000 },
  settled: 60_000,
  keyTrials: [1, 1],
};

/** A server with a cloud engine at `cloud/`, configured for a double of the provider. */
export interface CloudServer extends TestServer {
  readonly cloud: CloudDouble;
  readonly admin: Client;
}

/** Starts a double of the provider with a root user, another user, a group, a boundary and two roles. */
export function startProvider(now?: () => number): Promise<CloudDouble> {
  return startCloudDouble({
    ...(now !== undefined && { now }),
    seed: {
      users: {
        root: { keys: { [rootKey.id]: rootKey.secret } },
        somebody: { keys: { AKIASOMEBODYSOMEBODY: 's' } },
      },
      groups: {
        g1: {
          attached: ['arn:aws:iam::aws:policy/SecurityAudit', readOnly],
          written: { inline: '{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"iam:*"}}' },
        },
      },
      policies: [readOnly, 'arn:aws:iam::aws:policy/SecurityAudit', boundary],
      roles: { [roleX]: 3600, [roleY]: 43_200, [roleZ]: 3600 },
      externalIds: { [roleZ]: 'partner-7' },
    },
  });
}

/** The fields of config/root for a provider at an address. */
export function rootFields(url: string) {
  return {
    access_key: rootKey.id,
    secret_key: rootKey.secret,
    region: 'us-east-1',
    iam_endpoint: url,
    sts_endpoint: url,
  };
}

export async function startCloudServer(options: Partial<SecretsServerOptions> = {}): Promise<CloudServer> {
  const server = await startServer({ cloudTimes: shortTimes, cloudEnvironment: {}, ...options });
  const cloud = await startProvider(() => server.clock.now());
  const admin = await as(server, 'administrator');
  await admin.write('sys/mounts/cloud', { type: 'cloud' });
  await admin.write('cloud/config/root', rootFields(cloud.url));
  return {
    ...server,
    cloud,
    admin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await cloud[Symbol.asyncDispose]();
    },
  };
}

/** The names of the users that engines created. */
export function usersOf(cloud: CloudDouble): string[] {
  return Object.keys(cloud.dump()).filter((name) => name.startsWith('vault-'));
}

/** The status and errors of an answer, or only the status. */
export function outcome({ status, body }: WireAnswer): unknown[] {
  return body['errors'] === undefined ? [status] : [status, body['errors']];
}
