import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClock } from '@gatehouse/service-kit/clock';
import type { SecretsClient } from '../secrets-client.ts';

const minute = 60_000;
const place = 'sys/replication/performance';

/** How long copying the sample estate may take. */
const patienceMs = 30_000;

/** The mount of users' own secrets, which stays in production. */
const keptBack = ['people/'];

/** Makes a secrets server a primary. Call before anything is written: production has always been the primary. */
export async function enablePrimary(client: SecretsClient): Promise<void> {
  await client.write(`${place}/primary/enable`, {});
}

/**
 * Rehearses a failover as far as one cluster can: a refused promotion, a demotion, and a promotion.
 * @param clock the server's clock, which this function advances
 */
export async function rehearseFailover(client: SecretsClient, clock: TestClock): Promise<void> {
  await client.write(`${place}/secondary/promote`, {}).then(
    () => Promise.reject(new Error('a primary was promoted')),
    () => undefined,
  );
  clock.advance(2 * minute);
  await client.write(`${place}/primary/demote`, {});
  clock.advance(4 * minute);
  await client.write(`${place}/secondary/promote`, {});
}

/**
 * Makes one secrets server a filtered secondary of another, and waits until it is up to date. Also activates another
 * secondary that never connects.
 * @param id the secondary's name at the primary
 * @param signIn signs in at the secondary again, which has signed everyone out
 * @returns a client of the secondary
 * @throws Error if it takes too long
 */
export async function addSecondary(
  primary: SecretsClient,
  secondary: SecretsClient,
  id: string,
  signIn: () => Promise<SecretsClient>,
): Promise<SecretsClient> {
  await primary.write(`${place}/primary/paths-filter/${id}`, { mode: 'deny', paths: keptBack });
  const { wrap_info: wrapped } = await primary.write(`${place}/primary/secondary-token`, { id });
  const token = wrapped instanceof Object && 'token' in wrapped ? wrapped.token : undefined;
  await secondary.write(`${place}/secondary/enable`, { token });
  await primary.write(`${place}/primary/secondary-token`, { id: 'dublin', ttl: '72h' });
  const until = performance.now() + patienceMs;
  for (;;) {
    const { connection_state: connection, state } = await secondary.as('').read(`${place}/status`);
    if (connection === 'ready' && state === 'stream-wals') return signIn();
    if (performance.now() > until) throw new Error(`${id} has not received everything in ${patienceMs} ms`);
    await sleep(20);
  }
}
