import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClock } from '@gatehouse/service-kit/clock';
import type { SecretsClient } from '../secrets-client.ts';

const minute = 60_000;
const place = 'sys/replication/performance';

/** How long a copy of the sample estate may take. */
const patienceMs = 30_000;

/** Where people's own secrets are: they stay in production. */
const keptBack = ['people/'];

/** Makes a secrets server the primary that production has always been, before anything is written. */
export async function enablePrimary(client: SecretsClient): Promise<void> {
  await client.write(`${place}/primary/enable`, {});
}

/**
 * Rehearses a failover, as far as it goes with one cluster: a promotion that is refused, a demotion, and a promotion.
 * @param clock of the server; it is moved forward
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
 * Makes one secrets server a secondary of another, without what is kept back from it, and waits until it has everything else. A
 * further secondary is activated, and never connects.
 *
 * @param id what the primary calls the secondary
 * @param signIn signs in at the secondary again: everybody was signed out
 * @returns a client of the secondary
 * @throws Error when it takes too long
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
