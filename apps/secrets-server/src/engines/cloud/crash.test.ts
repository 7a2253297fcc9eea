import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { startKillable } from '@gatehouse/service-kit/testing/killable';
import type { Killable } from '@gatehouse/service-kit/testing/killable';
import { afterEach, expect, test } from 'vitest';
import { clientOf } from '../../testing/client.ts';
import type { Client } from '../../testing/client.ts';
import { readOnly, rootFields, startProvider, usersOf } from '../../testing/cloud.ts';
import { tokenOf } from '../../testing/people.ts';
import { testPassword } from '../../testing/server.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const credentials = deep ? 200 : 20;
/** In milliseconds. */
const timeout = deep ? 1_800_000 : 180_000;
const lanes = 10;

const script = new URL('../../testing/cloud-process.ts', import.meta.url);
let running: Killable | undefined;
afterEach(() => running?.kill());

/** An issued credential. */
interface Answered {
  readonly lease: string;
  readonly key: string;
}

/** Requests credentials until there are enough or the server is gone. */
async function issue(client: Client, answered: Answered[], wanted: number): Promise<void> {
  const lane = async (): Promise<void> => {
    while (answered.length < wanted) {
      const { status, body, data } = await client.write('cloud/creds/u');
      if (status !== 200) {
        expect([400, 502]).toContain(status);
        continue;
      }
      answered.push({ lease: String(body['lease_id']), key: String(data['access_key']) });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of results) {
    // Only the provider knows the outcome of requests that were interrupted by the kill.
    if (result.status === 'rejected' && !(result.reason instanceof TypeError)) throw result.reason;
  }
}

test(
  `${credentials} credentials leave nothing at the provider when half of all calls fail and the server is killed while it issues and while it revokes`,
  { timeout },
  async () => {
    using folder = temporaryFolder();
    await using cloud = await startProvider();
    const others = cloud.dump();
    const start = async (): Promise<string> => {
      running = await startKillable(script, folder.path);
      return running.url;
    };
    let url = await start();
    const login = await clientOf(url, undefined).write('auth/userpass/login/admin', {
      password: testPassword,
    });
    const token = tokenOf(login);
    let client = clientOf(url, token);
    await client.write('sys/mounts/cloud', { type: 'cloud' });
    await client.write('cloud/config/root', rootFields(cloud.url));
    await client.write('cloud/roles/u', {
      credential_type: 'iam_user',
      policy_arns: readOnly,
      policy_document: '{"Statement":[]}',
      iam_groups: 'g1',
    });
    cloud.delay = 5;
    // Calls are lost before or after they take effect.
    cloud.inject = () => {
      const chance = Math.random();
      return chance < 0.5 ? { effect: chance < 0.25 ? 'before' : 'after' } : undefined;
    };

    const answered: Answered[] = [];
    const kill = () => running?.kill();
    const issuing = issue(client, answered, credentials);
    await expect.poll(() => answered.length, { interval: 10 }).toBeGreaterThanOrEqual(credentials / 2);
    await kill();
    await issuing;

    url = await start();
    client = clientOf(url, token);
    await issue(client, answered, credentials);
    const keys = Object.values(cloud.dump()).flatMap((user) => user.keys);
    expect(keys).toEqual(expect.arrayContaining(answered.map(({ key }) => key)));

    const revoking = client.write('sys/leases/revoke-prefix/cloud').catch(() => undefined);
    await expect.poll(() => usersOf(cloud).length, { interval: 10 }).toBeLessThan(credentials * 0.8);
    await kill();
    await revoking;
    url = await start();
    client = clientOf(url, token);
    await client.write('sys/leases/revoke-prefix/cloud');
    await expect.poll(async () => (await client.list('sys/leases/lookup/cloud')).status).toBe(404);
    await expect.poll(() => usersOf(cloud)).toEqual([]);
    // Unmounting succeeds only once no call to the provider is unsettled.
    await expect.poll(async () => (await client.delete('sys/mounts/cloud')).status).toBe(204);
    expect(cloud.dump()).toEqual(others);
    const touched = new Set(cloud.calls.flatMap(({ parameters }) => parameters['UserName'] ?? []));
    expect([...touched].filter((name) => !name.startsWith('vault-'))).toEqual([]);
    await kill();
  },
);
