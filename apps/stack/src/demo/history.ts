import type { TestClock } from '@gatehouse/service-kit/clock';
import type { AccessClient } from '../access-client.ts';
import type { SampleOrganisation } from './estate.ts';
import type { Random } from './random.ts';

const minute = 60_000;

/**
 * Creates organisations, projects and targets, some minutes after one another.
 * @returns the ids of the targets
 */
export async function createEstate(
  client: AccessClient,
  estate: readonly SampleOrganisation[],
  clock: TestClock,
  random: Random,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, description, projects } of estate) {
    const organisation = await client.create('scopes', { scope_id: 'global', name, description });
    for (const project of projects) {
      const scope = await client.create('scopes', {
        scope_id: organisation.id,
        name: project.name,
        description: project.description,
      });
      clock.advance(random.between(20, 90) * minute);
      for (const target of project.targets) {
        ids.push((await client.create('targets', { ...target, scope_id: scope.id })).id);
        clock.advance(random.between(1, 9) * minute);
      }
    }
  }
  return ids;
}

/** Ways in which people change a target, as the fields of the change. */
const changes: readonly ((target: {
  readonly description: string;
  readonly address: string;
}) => Readonly<Record<string, unknown>>)[] = [
  () => ({ session_max_seconds: 2 * 3600 }),
  () => ({ session_connection_limit: 1 }),
  ({ description }) => ({ description: `${description}. Moved to the new cluster.` }),
  ({ address }) => ({ address: address.replace(/^([a-z-]+(?:-\d)?)\./, '$1.v2.') }),
  ({ description }) => ({ description: `${description}. Ask in #on-call before you connect.` }),
  () => ({ session_max_seconds: null }),
];

/** Changes between six and fourteen of the targets, some of them more than once. */
export async function changeTargets(
  client: AccessClient,
  ids: readonly string[],
  clock: TestClock,
  random: Random,
): Promise<void> {
  for (let left = random.between(6, 14); left > 0; left -= 1) {
    const target = await client.read('targets', random.pick(ids));
    const change = random.pick(changes)(target);
    await client.update('targets', target.id, target.version, change);
    clock.advance(random.between(1, 12) * minute);
  }
}
