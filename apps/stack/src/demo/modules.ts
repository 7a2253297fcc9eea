import type { TestClock } from '@gatehouse/service-kit/clock';
import { signInToModules } from '../modules-client.ts';
import type { ModulesClient } from '../modules-client.ts';
import { moduleArchive } from './module-files.ts';
import { consumerPlan, modulePlan } from './module-plan.ts';
import type { PlannedModule, PlannedModuleVersion } from './module-plan.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Working hours are before the start of the demo's day. */
const tenHours = 600 * minute;
const repositories = 'https://git.example.com/';

/** An event, by days before the demo starts. */
interface Event {
  readonly ago: number;
  readonly happen: () => Promise<unknown>;
}

/**
 * Fills a module registry with what the sample company has published in the last months: every version at its time,
 * later deprecations and revocations, and its consumers' downloads.
 * @param origin where the registry listens
 * @param password of all users
 * @param clock the registry's clock, which this function advances
 * @param now when the demo starts, in milliseconds since the epoch
 * @param all whether to publish everything, or only the modules of smaller environments
 */
export async function publishModules(
  origin: string,
  password: string,
  clock: TestClock,
  now: number,
  all: boolean,
): Promise<void> {
  const publisher = await signInToModules(origin, 'ines.moreau', password, 'release pipeline');
  const events: Event[] = modulePlan
    .filter(({ everywhere }) => all || everywhere === true)
    .flatMap((module) =>
      // Smaller environments have only the latest two versions.
      module.versions.slice(all ? 0 : -2).flatMap((version) => eventsOf(publisher, module, version)),
    );
  for (const { token, owner, fetches } of all ? consumerPlan : []) {
    const consumer = await signInToModules(origin, owner, password, token);
    for (const [version, from, to, every] of fetches) {
      for (let ago = from; ago >= to; ago -= every) {
        // Later on a day than the publishing.
        events.push({ ago: ago - 0.3, happen: () => consumer.fetchArchive(version) });
      }
    }
  }
  const days = Map.groupBy(events, ({ ago }) => ago);
  for (const [ago, today] of [...days].toSorted(([one], [other]) => other - one)) {
    clock.advance(Math.max(0, now - ago * day - tenHours - clock.now()));
    await Promise.all(today.map(({ happen }) => happen()));
  }
}

function eventsOf(publisher: ModulesClient, module: PlannedModule, version: PlannedModuleVersion): Event[] {
  const { address, description, repository, verified } = module;
  const { version: number, ago, folders, files, deprecation } = version;
  const path = `${address}/${number}`;
  const query = new URLSearchParams({ description, source: repositories + repository });
  const events: Event[] = [
    { ago, happen: () => publisher.publish(`${path}?${query}`, moduleArchive(folders, files)) },
  ];
  if (verified === true && module.versions.at(-1) === version)
    events.push({
      ago: ago - 0.5,
      happen: () => publisher.put(`/v1/modules/${address}/verified`, { verified }),
    });
  if (deprecation !== undefined) {
    const { state, message, replacement } = deprecation;
    events.push({
      ago: deprecation.ago - 0.5,
      happen: () => publisher.put(`/v1/modules/${path}/deprecation`, { state, message, replacement }),
    });
  }
  return events;
}
