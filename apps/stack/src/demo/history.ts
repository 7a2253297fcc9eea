import type { TestClock } from '@gatehouse/service-kit/clock';
import type { AccessClient } from '../access-client.ts';
import type { SampleOrganization, SampleProject } from './estate.ts';
import type { Random } from './random.ts';

const minute = 60_000;

/** The IDs of an estate's records, once they are created. */
export interface EstateIds {
  /** IDs of targets, by name, including targets that users create later. */
  readonly targets: Map<string, string>;
  /** IDs of hosts and host sets, by name. */
  readonly hosts: ReadonlyMap<string, string>;
  readonly hostSets: ReadonlyMap<string, string>;
  /** IDs of credentials, by project and name: `Checkout/redis`. */
  readonly credentials: ReadonlyMap<string, string>;
  /** IDs of projects, by name. */
  readonly projects: ReadonlyMap<string, string>;
}

/** Creates organizations, projects, sources and targets, some minutes apart. */
export async function createEstate(
  client: AccessClient,
  estate: readonly SampleOrganization[],
  clock: TestClock,
  random: Random,
): Promise<EstateIds> {
  const ids = {
    targets: new Map<string, string>(),
    hosts: new Map<string, string>(),
    hostSets: new Map<string, string>(),
    credentials: new Map<string, string>(),
    projects: new Map<string, string>(),
  };
  // Records of one kind get different times: lists are ordered by time, and must have the same order in each demo.
  const later = () => clock.advance(random.between(1, 9) * minute);
  for (const { name, description, projects } of estate) {
    const organization = await client.create('scopes', { scope_id: 'global', name, description });
    for (const project of projects) {
      const scope = await client.create('scopes', {
        scope_id: organization.id,
        name: project.name,
        description: project.description,
      });
      ids.projects.set(project.name, scope.id);
      clock.advance(random.between(20, 90) * minute);
      await createHosts(client, scope.id, project, ids, later);
      await createCredentials(client, scope.id, project, ids, later);
      await createTargets(client, scope.id, project, ids, later);
    }
  }
  return ids;
}

type IdsToFill = { readonly [Part in keyof EstateIds]: Map<string, string> };

async function createHosts(
  client: AccessClient,
  scopeId: string,
  { name, hostSets }: SampleProject,
  ids: IdsToFill,
  later: () => void,
): Promise<void> {
  if (hostSets.length === 0) return;
  const catalog = await client.create('host-catalogs', {
    scope_id: scopeId,
    type: 'static',
    name: `${name} hosts`,
    description: `Interchangeable machines of ${name}`,
  });
  const inCatalog = { host_catalog_id: catalog.id, type: 'static' };
  for (const { name: setName, description, hosts } of hostSets) {
    const hostIds: string[] = [];
    for (const { address, ...label } of hosts) {
      later();
      const { id } = await client.create('hosts', { ...inCatalog, ...label, attributes: { address } });
      ids.hosts.set(label.name, id);
      hostIds.push(id);
    }
    later();
    const set = await client.create('host-sets', { ...inCatalog, name: setName, description });
    ids.hostSets.set(setName, set.id);
    await client.act('host-sets', set.id, 'set-hosts', set.version, { host_ids: hostIds });
  }
}

async function createCredentials(
  client: AccessClient,
  scopeId: string,
  { name, store, credentials }: SampleProject,
  ids: IdsToFill,
  later: () => void,
): Promise<void> {
  const kept = await client.create('credential-stores', {
    scope_id: scopeId,
    type: 'static',
    name: store,
    description: `Shared accounts in ${name}`,
  });
  for (const credential of credentials) {
    later();
    const { id } = await client.create('credentials', { ...credential, credential_store_id: kept.id });
    ids.credentials.set(`${name}/${credential.name}`, id);
  }
}

async function createTargets(
  client: AccessClient,
  scopeId: string,
  { name, targets }: SampleProject,
  ids: IdsToFill,
  later: () => void,
): Promise<void> {
  const links: (() => Promise<unknown>)[] = [];
  for (const { target, links: wanted } of targets) {
    const { id, version } = await client.create('targets', { ...target, scope_id: scopeId });
    ids.targets.set(target.name, id);
    later();
    const of = (credentials: readonly string[]) =>
      credentials.map((credential) => idOf(ids.credentials, `${name}/${credential}`));
    links.push(async () => {
      let seen = version;
      if (wanted.hostSets.length > 0) {
        const sets = wanted.hostSets.map((set) => idOf(ids.hostSets, set));
        const linked = await client.act('targets', id, 'set-host-sources', seen, { host_source_ids: sets });
        seen = linked.version;
      }
      if (wanted.brokered.length + wanted.injected.length + wanted.application.length === 0) return;
      await client.act('targets', id, 'set-credential-sources', seen, {
        brokered_credential_source_ids: of(wanted.brokered),
        injected_application_credential_source_ids: of(wanted.injected),
        application_credential_source_ids: of(wanted.application),
      });
    });
  }
  // The changes are independent, and are sent together because each write waits for the disk.
  await Promise.all(links.map((link) => link()));
}

/** @throws Error if the plan has no such name */
export function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the sample estate has no ${name}`);
  return id;
}

/** Typical changes of a target, as the fields to set. */
const changes: readonly ((target: {
  readonly description: string;
  readonly address: string;
}) => Readonly<Record<string, unknown>>)[] = [
  () => ({ session_max_seconds: 2 * 3600 }),
  () => ({ session_connection_limit: 1 }),
  ({ description }) => ({ description: withSentence(description, 'Moved to the new cluster.') }),
  // A target with host sets has no address to change.
  ({ address }) =>
    address === '' || address.includes('.v2.')
      ? { session_max_seconds: 3600 }
      : { address: address.replace(/^([a-z-]+(?:-\d)?)\./, '$1.v2.') },
  ({ description }) => ({ description: withSentence(description, 'Ask in #on-call before you connect.') }),
  () => ({ session_max_seconds: null }),
];

/** Changes 6 to 14 of the targets, some of them repeatedly. */
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

function withSentence(description: string, sentence: string): string {
  if (description.includes(sentence)) return description;
  return `${description.replace(/\.$/, '')}. ${sentence}`;
}
