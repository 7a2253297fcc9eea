import { newId } from '@gatehouse/service-kit/ids';
import { FieldFaults } from './refusal.ts';
import { globalScopeId } from './scope.ts';
import type { Scope, ScopeType } from './scope.ts';
import { newFields } from './target/change.ts';
import type { Target, TargetChange, TargetType } from './target/target.ts';
import { targetPrefixes } from './target/target.ts';

/** A target to begin with. */
export interface SeedTarget extends TargetChange {
  /** Chosen when missing. */
  readonly id?: string;
  readonly type: TargetType;
  /** Milliseconds since the epoch; the time of seeding unless given. */
  readonly createdTime?: number;
}

/** A project to begin with. */
export interface SeedProject {
  /** Chosen when missing. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  /** Consumed while it is stored, so that a generator of many needs no memory. */
  readonly targets: Iterable<SeedTarget>;
}

/** An organisation to begin with. */
export interface SeedOrg {
  /** Chosen when missing. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly projects: readonly SeedProject[];
}

/** What an empty store is filled with. */
export type Seed = readonly SeedOrg[];

/** The org, project and target that scripts of the field expect on a fresh controller. */
export const wellKnownSeed: Seed = [
  {
    id: 'o_1234567890',
    name: 'Generated org scope',
    description: 'The organisation that every new controller starts with',
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
            description: 'SSH of the machine that the controller runs on',
            address: '127.0.0.1',
            defaultPort: 22,
          },
        ],
      },
    ],
  },
];

/**
 * One project with `count` plain targets, for measuring.
 * @param now time of the newest, in milliseconds since the epoch; each other is a second older
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

/** The global scope, as it is at first. */
export function newGlobalScope(now: number): Scope {
  return newScope('global', '', { id: globalScopeId, name: 'global', description: 'Global Scope' }, now);
}

/** A scope of a seed. */
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

/** A target of a seed. @throws Refusal `invalid argument` when it breaks the rules of targets */
export function newSeedTarget(projectId: string, seed: SeedTarget, now: number): Target {
  const faults = new FieldFaults();
  const fields = newFields(seed.type, seed, faults);
  faults.refuseAny(`The seed target ${JSON.stringify(seed.name ?? '')} breaks the rules.`);
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
  };
}
