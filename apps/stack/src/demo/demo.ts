import { createService as createAccessController } from '@gatehouse/access-controller';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { testClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import { signIn } from '../access-client.ts';
import type { EmbeddedEnvironment, PreparedParts } from '../stack.ts';
import { sampleEstate } from './estate.ts';
import { changeTargets, createEstate } from './history.ts';
import { samplePeople } from './people.ts';
import { seededRandom } from './random.ts';

const day = 24 * 3600 * 1000;

/** How long ago somebody worked on the estate, in days; the first creates it, the others change it. */
const workingDays = [93, 64, 31, 12, 3, 0.25] as const;

/** The estates, the largest first; a seed each, so that they differ and stay the same. */
const estates = [
  {
    id: 'production',
    name: 'Production',
    kind: 'production',
    seed: 11,
    regions: ['eu-west', 'us-east', 'ap-south'],
  },
  { id: 'staging', name: 'Staging', kind: 'staging', seed: 12, regions: ['eu-west', 'us-east'] },
  { id: 'development', name: 'Development', kind: 'development', seed: 13, regions: ['eu-west'] },
] as const;

/**
 * The environments of the demo.
 * @param accessPort TCP port of production's access controller; the others take free ones
 */
export function demoEnvironments(accessPort: number): readonly EmbeddedEnvironment[] {
  return estates.map(({ id, name, kind }) => ({
    id,
    name,
    kind,
    accessPort: kind === 'production' ? accessPort : 0,
  }));
}

/**
 * Fills one environment with an estate that several people have worked on for three months. Everything goes
 * through the access controller's own API, under a clock that is set to the day of each change.
 */
export async function prepareDemo(environment: EmbeddedEnvironment, parts: PreparedParts): Promise<void> {
  const { password } = parts;
  const plan = estates.find(({ id }) => id === environment.id);
  if (plan === undefined) throw new Error(`there is no sample estate called ${environment.id}`);
  if (password === undefined) throw new Error('sample data needs a new data folder');
  await invite(parts.accounts, password);

  const now = Date.now();
  const clock = testClock(now - workingDays[0] * day);
  const { accounts, dataDir } = parts;
  // Without the well-known objects of an empty controller: the estate is all there is.
  const service = await createAccessController({ dataDir, accounts, clock, seed: [] });
  const door = await listen(service, { host: '127.0.0.1', port: 0 });
  try {
    const random = seededRandom(plan.seed);
    const as = (loginName: string) => signIn(door.address, loginName, password);
    const estate = sampleEstate(random, plan.regions);
    const targets = await createEstate(await as('ines.moreau'), estate, clock, random);

    for (const [index, ago] of workingDays.slice(1).entries()) {
      const at = now - ago * day;
      clock.advance(Math.max(0, at - clock.now()));
      const person = ['tomasz.wrona', 'priya.raman', 'mateus.lima'][index % 3] ?? 'tomasz.wrona';
      await changeTargets(await as(person), targets, clock, random);
    }
  } finally {
    await door.drain(0);
    await service.close();
  }
}

async function invite(accounts: AccountStore, password: string): Promise<void> {
  for (const person of samplePeople) {
    if (accounts.getByLoginName(person.loginName) === undefined)
      await accounts.create({ ...person, password });
  }
}
