import type { PlannedProject, System, TargetType } from './plan-form.ts';
import { plan } from './plan.ts';
import type { Random } from './random.ts';
import { sampleCredential } from './sample-credential.ts';
import type { SampleCredential } from './sample-credential.ts';

/** A target of the sample estate, in the access controller's wire form. */
export interface SampleTarget {
  readonly name: string;
  readonly description: string;
  readonly type: TargetType;
  /** Missing if the target has host sets. */
  readonly address?: string;
  readonly attributes: { readonly default_port: number; readonly default_client_port?: number };
  /** In seconds. */
  readonly session_max_seconds: number;
  /** -1 means no limit. */
  readonly session_connection_limit: number;
  readonly egress_worker_filter?: string;
}

/** The sources of a target, by names in its project. */
export interface SampleLinks {
  readonly hostSets: readonly string[];
  readonly brokered: readonly string[];
  readonly injected: readonly string[];
  readonly application: readonly string[];
}

/** A host in a project's catalog. */
export interface SampleHost {
  readonly name: string;
  readonly description: string;
  readonly address: string;
}

/** A set of interchangeable hosts. */
export interface SampleHostSet {
  readonly name: string;
  readonly description: string;
  readonly hosts: readonly SampleHost[];
}

/** A project with its targets and their sources. */
export interface SampleProject {
  readonly name: string;
  readonly description: string;
  readonly targets: readonly { readonly target: SampleTarget; readonly links: SampleLinks }[];
  readonly hostSets: readonly SampleHostSet[];
  /** The name of the credential store. */
  readonly store: string;
  readonly credentials: readonly SampleCredential[];
}

export interface SampleOrganization {
  readonly name: string;
  readonly description: string;
  readonly projects: readonly SampleProject[];
}

const shifts = [3600, 4 * 3600, 8 * 3600, 12 * 3600] as const;

/**
 * Generates the estate of one environment.
 * @param random the same seed gives the same estate
 * @param regions the regions that the systems run in
 */
export function sampleEstate(random: Random, regions: readonly string[]): SampleOrganization[] {
  return plan.map(({ name, description, projects }) => ({
    name,
    description,
    projects: projects.map((project) => sampleProject(random, project, regions)),
  }));
}

function sampleProject(random: Random, project: PlannedProject, regions: readonly string[]): SampleProject {
  const { name, description, store, credentials, systems } = project;
  const placed = systems.flatMap((system) =>
    (system.central ? regions.slice(0, 1) : regions).map((region) => ({ system, region })),
  );
  return {
    name,
    description,
    store,
    credentials: credentials.map((credential) => sampleCredential(random, credential)),
    hostSets: placed
      .filter(({ system }) => system.pooled === true)
      .map(({ system, region }) => hostSetOf(system, name, region)),
    targets: placed.flatMap(({ system, region }) => targetsOf(random, system, name, region)),
  };
}

/** The members of a system in one region: `kafka-1`, `kafka-2` and so on, or just its name. */
function membersOf(system: System, project: string, region: string) {
  const copies = system.copies ?? 1;
  return Array.from({ length: copies }, (_, index) => {
    const name = copies === 1 ? system.name : `${system.name}-${index + 1}`;
    return {
      name,
      description: copies === 1 ? system.what : `${system.what}, ${index + 1} of ${copies}`,
      address: `${name}.${project.toLowerCase()}.${region}.internal`,
    };
  });
}

function hostSetOf(system: System, project: string, region: string): SampleHostSet {
  return {
    name: `${system.name} ${region}`,
    description: `${system.what}; any member will do`,
    hosts: membersOf(system, project, region).map((host) => ({ ...host, name: `${host.name} ${region}` })),
  };
}

function targetsOf(
  random: Random,
  system: System,
  project: string,
  region: string,
): SampleProject['targets'][number][] {
  const { brokered = [], injected = [], application = [] } = system;
  const leads =
    system.pooled === true
      ? [{ name: system.name, description: system.what }]
      : membersOf(system, project, region);
  return leads.map((lead) => {
    const clientPort = system.type === undefined && random.chance(0.3) ? 10_000 + system.port : undefined;
    return {
      target: {
        ...lead,
        name: `${lead.name} ${region}`,
        type: system.type ?? 'tcp',
        attributes: {
          default_port: system.port,
          ...(clientPort !== undefined && clientPort <= 65_535 && { default_client_port: clientPort }),
        },
        session_max_seconds: random.pick(shifts),
        session_connection_limit: system.type === undefined ? -1 : random.between(1, 3),
        ...(random.chance(0.6) && { egress_worker_filter: workerFilter(random, region) }),
      },
      links: {
        hostSets: system.pooled === true ? [`${system.name} ${region}`] : [],
        brokered,
        injected,
        application,
      },
    };
  });
}

function workerFilter(random: Random, region: string): string {
  const here = `"${region}" in "/tags/region"`;
  return random.chance(0.4) ? `${here} and "restricted" in "/tags/zone"` : here;
}
