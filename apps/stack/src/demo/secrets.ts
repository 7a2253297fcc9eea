import type { TestClock } from '@gatehouse/service-kit/clock';
import type { SecretsClient } from '../secrets-client.ts';
import type { Random } from './random.ts';
import { madeUp, madeUpKey } from './sample-credential.ts';
import { secretPlan } from './secret-plan.ts';
import type { Maker, PlannedSecret } from './secret-plan.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Fills a secrets server with what the sample company has written in the last months: every version at its time, then
 * the deletions.
 * @param client signed in as an administrator
 * @param clock the server's clock, which this function advances
 * @param place the environment's name in the secrets' values
 * @param now when the demo starts, in milliseconds since the epoch
 */
export async function writeSecrets(
  client: SecretsClient,
  clock: TestClock,
  random: Random,
  place: string,
  now: number,
): Promise<void> {
  const made: Maker = { word: () => madeUp(random), key: () => madeUpKey(random), place };
  // The months last longer than a sign-in.
  const lasting = client.as(
    await client.createToken({ policies: ['administrator'], period: '4320h', no_parent: true }),
  );
  for (const { mount, description, settings } of secretPlan) {
    if (mount !== 'secret') {
      await lasting.write(`sys/mounts/${mount}`, { type: 'kv', description, options: { version: '2' } });
    }
    if (settings !== undefined) await lasting.write(`${mount}/config`, settings);
  }
  const versions = secretPlan
    .flatMap(({ mount, secrets }) =>
      secrets.flatMap((secret) => secret.written.map((ago, index) => ({ mount, secret, ago, index }))),
    )
    .toSorted((one, other) => other.ago - one.ago);
  for (const { mount, secret, ago, index } of versions) {
    clock.advance(Math.max(random.between(1, 9) * minute, now - ago * day - clock.now()));
    const path = pathOf(secret);
    if (index === 0) await describe(lasting, mount, secret, now);
    await lasting.write(`${mount}/data/${path}`, {
      data: secret.fields(made),
      options: { cas: index },
    });
  }
  for (const { mount, secrets } of secretPlan) {
    for (const secret of secrets) {
      for (const how of ['deleted', 'destroyed'] as const) {
        const gone = secret[how];
        if (gone === undefined) continue;
        clock.advance(random.between(1, 9) * minute);
        const verb = how === 'deleted' ? 'delete' : 'destroy';
        await lasting.write(`${mount}/${verb}/${pathOf(secret)}`, { versions: gone });
      }
    }
  }
  await lasting.write('auth/token/revoke-self', {});
}

function describe(
  client: SecretsClient,
  mount: string,
  secret: PlannedSecret,
  now: number,
): Promise<unknown> {
  const { owner, purpose, settings, rotateIn } = secret;
  const rotation =
    rotateIn === undefined ? {} : { rotate_by: new Date(now + rotateIn * day).toISOString().slice(0, 10) };
  return client.write(`${mount}/metadata/${pathOf(secret)}`, {
    ...settings,
    custom_metadata: { owner, purpose, ...rotation },
  });
}

function pathOf({ path }: PlannedSecret): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
