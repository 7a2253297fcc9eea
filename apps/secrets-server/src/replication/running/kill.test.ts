import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { startKillable } from '@gatehouse/service-kit/testing/killable';
import type { Killable } from '@gatehouse/service-kit/testing/killable';
import { testPassword } from '@gatehouse/service-kit/testing/test-accounts';
import { expect, test, vi } from 'vitest';
import { clientOf } from '../../testing/client.ts';
import type { Client, Wire } from '../../testing/client.ts';
import { tokenOf } from '../../testing/people.ts';

const script = new URL('../../testing/cluster-process.ts', import.meta.url);
const replication = 'sys/replication/performance';
const writers = 8;

async function signIn(server: Killable): Promise<Client> {
  const answer = await clientOf(server.url, undefined).write('auth/userpass/login/admin', {
    password: testPassword,
  });
  return clientOf(server.url, tokenOf(answer));
}

function memberOf(value: unknown, name: string): string {
  return typeof value === 'object' && value !== null ? String(Reflect.get(value, name)) : '';
}

/** Writes to a cluster until it is gone, each writer to its own secret. Returns the last acknowledged versions. */
async function writeUntilGone(
  through: Client,
  round: string,
  told: () => void,
): Promise<Map<string, number>> {
  const acknowledged = new Map<string, number>();
  await Promise.all(
    Array.from({ length: writers }, async (_each, index) => {
      const path = `${round}-${index}`;
      for (let n = 1; ; n += 1) {
        const answer = await through.write(`secret/data/${path}`, { data: { n } }).catch(() => undefined);
        // A write that can't be forwarded any more is refused.
        if (answer?.status !== 200) return;
        acknowledged.set(path, n);
        told();
      }
    }),
  );
  return acknowledged;
}

/** Kills a process while a cluster is being written to. */
async function killWhileWriting(
  through: Client,
  round: string,
  victim: Killable,
): Promise<Map<string, number>> {
  const enough = Promise.withResolvers<void>();
  let count = 0;
  const writing = writeUntilGone(through, round, () => {
    count += 1;
    if (count === 10 * writers) enough.resolve();
  });
  await enough.promise;
  await victim.kill();
  return writing;
}

async function expectEqual(primary: Client, secondary: Client): Promise<Wire> {
  return vi.waitFor(
    async () => {
      const { data: expected } = await primary.read(`${replication}/digest?secondary=berlin`);
      const { data: actual } = await secondary.read(`${replication}/digest`);
      expect(Number(expected['records'])).toBeGreaterThan(0);
      expect(actual).toEqual(expected);
      return actual;
    },
    { timeout: 40_000, interval: 20 },
  );
}

test(
  'a primary or secondary that is killed during writes continues from its position',
  { timeout: 200_000 },
  async () => {
    using folder = temporaryFolder();
    using otherFolder = temporaryFolder();
    const [here, there] = [folder.path, otherFolder.path];
    let [primary, secondary] = [await startKillable(script, here), await startKillable(script, there)];
    try {
      let [admin, other] = [await signIn(primary), await signIn(secondary)];
      expect((await admin.write(`${replication}/primary/enable`)).status).toBe(200);
      expect((await admin.write('secret/config', { max_versions: 10_000 })).status).toBe(204);
      const { body } = await admin.write(`${replication}/primary/secondary-token`, { id: 'berlin' });
      const token = memberOf(body['wrap_info'], 'token');
      expect((await other.write(`${replication}/secondary/enable`, { token })).status).toBe(200);
      other = await signIn(secondary);
      await expectEqual(admin, other);

      // The writes go through the secondary, which forwards them.
      const acknowledged = await killWhileWriting(other, 'secondary', secondary);
      secondary = await startKillable(script, there);
      other = await signIn(secondary);
      await expectEqual(admin, other);

      for (const [path, n] of await killWhileWriting(admin, 'primary', primary)) acknowledged.set(path, n);
      primary = await startKillable(script, here);
      admin = await signIn(primary);
      await expectEqual(admin, other);

      expect(acknowledged.size).toBe(2 * writers);
      for (const [path, n] of acknowledged) {
        const { data } = await other.read(`secret/data/${path}?version=${n}`);
        expect([path, data['data']]).toEqual([path, { n }]);
      }
    } finally {
      await primary.kill();
      await secondary.kill();
    }
  },
);
