import { newId } from '@gatehouse/service-kit/ids';
import { hostCatalogPrefix } from './host/catalog.ts';
import type { HostCatalog } from './host/catalog.ts';
import { changedHostAddress, hostPrefix } from './host/host.ts';
import type { Host } from './host/host.ts';
import { hostSetPrefix } from './host/set.ts';
import type { HostSet } from './host/set.ts';
import { blankLabel, changedLabel } from './label.ts';
import { FieldFaults } from './refusal.ts';
import { globalScopeId } from './scope.ts';
import type { Scope, ScopeType } from './scope.ts';
import { newFields } from './target/change.ts';
import type { Target, TargetChange, TargetType } from './target/target.ts';
import { noCredentialSources, targetPrefixes } from './target/target.ts';

export interface SeedTarget extends TargetChange {
  /** Generated if missing. */
  readonly id?: string;
  readonly type: TargetType;
  /** Milliseconds since the epoch; by default the time of seeding. */
  readonly createdTime?: number;
}

export interface SeedHost {
  /** Generated if missing. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly address: string;
}

export interface SeedHostSet {
  /** Generated if missing. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  /** Names of hosts in the same catalog. */
  readonly hosts: readonly string[];
}

export interface SeedHostCatalog {
  /** Generated if missing. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly hosts: readonly SeedHost[];
  readonly sets: readonly SeedHostSet[];
}

export interface SeedProject {
  /** Generated if missing. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  /** Read while it is stored: a generator of many targets needs little memory. */
  readonly targets: Iterable<SeedTarget>;
  /** None by default. */
  readonly hostCatalogs?: readonly SeedHostCatalog[];
}

export interface SeedOrg {
  /** Generated if missing. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly projects: readonly SeedProject[];
}

/** The initial content of an empty store. */
export type Seed = readonly SeedOrg[];

/** The organization, project, target and hosts of a new Boundary development server, which scripts rely on. */
export const wellKnownSeed: Seed = [
  {
    id: 'o_1234567890',
    name: 'Generated org scope',
    description: 'The organization that every new controller starts with',
    projects: [
      {
        id: 'p_1234567890',
        name: 'Generated project scope',
        description: 'The project that every new controller starts with',
        targets: [
          {
            id: 'ttcp_1234567890',
            type: 'tcp',
            name: 'Generated target',
            description: 'SSH on the machine that the controller runs on',
            address: '127.0.0.1',
            defaultPort: 22,
          },
        ],
        hostCatalogs: [
          {
            id: 'hcst_1234567890',
            name: 'Generated host catalog',
            description: 'The host catalog that every new controller starts with',
            hosts: [
              {
                id: 'hst_1234567890',
                name: 'Generated host',
                description: 'The machine that the controller runs on',
                address: '127.0.0.1',
              },
            ],
            sets: [
              {
                id: 'hsst_1234567890',
                name: 'Generated host set',
                description: 'The machine that the controller runs on',
                hosts: ['Generated host'],
              },
            ],
          },
        ],
      },
    ],
  },
];

/**
 * A project with `count` plain targets, for benchmarks.
 * @param now creation time of the newest target, in milliseconds since the epoch; each next one is a second older
 */
export function measuringSeed(count: number, now: number): Seed {
  function* targets(): Generator<SeedTarget> {
    for (let n = 0; n < count; n++) {
      yield {
        type: 'tcp',
        name: `target ${String(n).padStart(6, '0')}`,
        address: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
        defaultPort: 1 + (n % 65_535),
        createdTime: now - (count - 1 - n) * 1000,
      };
    }
  }
  return [{ name: 'Measurements', projects: [{ name: `${count} targets`, targets: targets() }] }];
}

export function newGlobalScope(now: number): Scope {
  return newScope('global', '', { id: globalScopeId, name: 'global', description: 'Global Scope' }, now);
}

export function newSeedScope(
  type: 'org' | 'project',
  parentId: string,
  seed: Pick<SeedOrg, 'id' | 'name' | 'description'>,
  now: number,
): Scope {
  return newScope(type, parentId, { ...seed, id: seed.id ?? newId(type === 'org' ? 'o' : 'p') }, now);
}

function newScope(
  type: ScopeType,
  parentId: string,
  seed: { readonly id: string; readonly name: string; readonly description?: string },
  now: number,
): Scope {
  const { id, name, description = '' } = seed;
  return { id, type, parentId, name, description, createdTime: now, updatedTime: now, version: 1 };
}

/** @throws Refusal `invalid argument` if it breaks the rules of targets */
export function newSeedTarget(projectId: string, seed: SeedTarget, now: number): Target {
  const faults = new FieldFaults();
  const fields = newFields(seed.type, seed, faults);
  faults.refuseAny(`The seed target ${JSON.stringify(seed.name ?? '')} is invalid.`);
  const time = seed.createdTime ?? now;
  return {
    ...fields,
    id: seed.id ?? newId(targetPrefixes[seed.type]),
    projectId,
    type: seed.type,
    createdTime: time,
    updatedTime: time,
    version: 1,
    hostSources: [],
    credentialSources: noCredentialSources,
  };
}

/** A host catalog of a seed, with its hosts and host sets. @throws Refusal `invalid argument` if it breaks the rules */
export function newSeedHostCatalog(
  projectId: string,
  seed: SeedHostCatalog,
  now: number,
): { readonly catalog: HostCatalog; readonly hosts: readonly Host[]; readonly sets: readonly HostSet[] } {
  const faults = new FieldFaults();
  const fresh = { projectId, createdTime: now, updatedTime: now, version: 1 };
  const catalog = {
    ...fresh,
    id: seed.id ?? newId(hostCatalogPrefix),
    ...changedLabel(blankLabel, seed, faults),
  };
  const hosts = seed.hosts.map((host) => ({
    ...fresh,
    id: host.id ?? newId(hostPrefix),
    catalogId: catalog.id,
    ...changedLabel(blankLabel, host, faults),
    address: changedHostAddress('', host.address, faults),
    hostSetIds: [],
  }));
  const sets = seed.sets.map((set) => ({
    ...fresh,
    id: set.id ?? newId(hostSetPrefix),
    catalogId: catalog.id,
    ...changedLabel(blankLabel, set, faults),
    hostIds: hosts
      .filter((host) => set.hosts.includes(host.name))
      .map((host) => host.id)
      .sort(),
  }));
  faults.refuseAny(`The seed host catalog ${JSON.stringify(seed.name)} is invalid.`);
  return { catalog, hosts, sets };
}
