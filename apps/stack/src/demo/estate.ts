import type { Random } from './random.ts';

/** What is created for one target of the sample estate, in the access controller's wire form. */
export interface SampleTarget {
  readonly name: string;
  readonly description: string;
  readonly type: 'tcp' | 'ssh' | 'rdp';
  readonly address: string;
  readonly attributes: { readonly default_port: number; readonly default_client_port?: number };
  /** Seconds. */
  readonly session_max_seconds: number;
  /** -1 is no limit. */
  readonly session_connection_limit: number;
  readonly egress_worker_filter?: string;
}

/** A project with its targets. */
export interface SampleProject {
  readonly name: string;
  readonly description: string;
  readonly targets: readonly SampleTarget[];
}

/** An organisation with its projects. */
export interface SampleOrganisation {
  readonly name: string;
  readonly description: string;
  readonly projects: readonly SampleProject[];
}

/** A system of a project: each becomes one target a region, and one for each further copy. */
interface System {
  readonly name: string;
  readonly what: string;
  readonly type?: SampleTarget['type'];
  readonly port: number;
  /** Several of a kind, such as replicas; 1 unless given. */
  readonly copies?: number;
  /** Runs in the first region alone. */
  readonly central?: boolean;
}

const bastion: System = { name: 'bastion', what: 'Way in for people on call', type: 'ssh', port: 22 };

const plan: readonly {
  readonly name: string;
  readonly description: string;
  readonly projects: readonly {
    readonly name: string;
    readonly description: string;
    readonly systems: readonly System[];
  }[];
}[] = [
  {
    name: 'Commerce',
    description: 'Everything between a basket and a parcel',
    projects: [
      {
        name: 'Checkout',
        description: 'Baskets, payments and receipts',
        systems: [
          { name: 'postgres', what: 'Orders database', port: 5432, copies: 2 },
          { name: 'redis-sessions', what: 'Baskets of people who are not signed in', port: 6379 },
          { name: 'payments-gateway', what: 'Card terminal protocol of the acquirer', port: 8583 },
          bastion,
        ],
      },
      {
        name: 'Storefront',
        description: 'The shop’s pages and its search',
        systems: [
          { name: 'opensearch', what: 'Product search', port: 9200, copies: 3 },
          { name: 'render', what: 'Page renderer', type: 'ssh', port: 22, copies: 2 },
          { name: 'image-cache', what: 'Resized pictures', port: 6379 },
        ],
      },
      {
        name: 'Fulfilment',
        description: 'Warehouses, labels and carriers',
        systems: [
          { name: 'mysql-stock', what: 'Stock by shelf', port: 3306, copies: 2 },
          { name: 'label-printer', what: 'Print server of the packing line', type: 'rdp', port: 3389 },
          { name: 'carrier-sftp', what: 'Manifests for the carriers', type: 'ssh', port: 22, central: true },
        ],
      },
    ],
  },
  {
    name: 'Data',
    description: 'Warehouse, streams and models',
    projects: [
      {
        name: 'Warehouse',
        description: 'Reporting and finance',
        systems: [
          { name: 'clickhouse', what: 'Events and orders, columnar', port: 9440, copies: 3 },
          { name: 'finance-postgres', what: 'Ledger; four-eyes rule applies', port: 5432, central: true },
          {
            name: 'reporting-desktop',
            what: 'Spreadsheet host of the finance team',
            type: 'rdp',
            port: 3389,
          },
        ],
      },
      {
        name: 'Streaming',
        description: 'Brokers and their registry',
        systems: [
          { name: 'kafka', what: 'Broker', port: 9094, copies: 3 },
          { name: 'schema-registry', what: 'Schemas of all topics', port: 8081 },
          bastion,
        ],
      },
      {
        name: 'Models',
        description: 'Training and serving',
        systems: [
          { name: 'gpu', what: 'Training host', type: 'ssh', port: 22, copies: 4 },
          { name: 'feature-store', what: 'Features for serving', port: 6380 },
        ],
      },
    ],
  },
  {
    name: 'Platform',
    description: 'What everybody else stands on',
    projects: [
      {
        name: 'Clusters',
        description: 'Control planes and nodes',
        systems: [
          { name: 'kube-api', what: 'Control plane', port: 6443 },
          { name: 'etcd', what: 'Control plane’s store', port: 2379, copies: 3 },
          { name: 'node', what: 'Worker node for break-glass access', type: 'ssh', port: 22, copies: 4 },
        ],
      },
      {
        name: 'Network',
        description: 'Edge, names and tunnels',
        systems: [
          { name: 'edge-router', what: 'Border router', type: 'ssh', port: 22, copies: 2 },
          { name: 'resolver', what: 'Internal names', port: 853 },
          { name: 'vpn-concentrator', what: 'Tunnels to the warehouses', type: 'ssh', port: 22 },
        ],
      },
      {
        name: 'Observability',
        description: 'Metrics, logs and traces',
        systems: [
          { name: 'metrics', what: 'Time series', port: 9090, copies: 2 },
          { name: 'logs', what: 'Log store', port: 3100 },
          { name: 'grafana-db', what: 'Dashboards database', port: 5432, central: true },
        ],
      },
      {
        name: 'Identity',
        description: 'Directory and sign-on',
        systems: [
          { name: 'ldap', what: 'Directory', port: 636, copies: 2 },
          { name: 'domain-controller', what: 'Windows domain', type: 'rdp', port: 3389, central: true },
        ],
      },
    ],
  },
];

const shifts = [3600, 4 * 3600, 8 * 3600, 12 * 3600] as const;

/**
 * Draws the estate of one environment.
 *
 * @param random same seed, same estate
 * @param regions the systems run in each of them
 */
export function sampleEstate(random: Random, regions: readonly string[]): SampleOrganisation[] {
  return plan.map(({ name, description, projects }) => ({
    name,
    description,
    projects: projects.map((project) => ({
      name: project.name,
      description: project.description,
      targets: project.systems.flatMap((system) => {
        const places = system.central ? regions.slice(0, 1) : regions;
        return places.flatMap((region) => copiesOf(random, system, project.name, region));
      }),
    })),
  }));
}

function copiesOf(random: Random, system: System, project: string, region: string): SampleTarget[] {
  const copies = system.copies ?? 1;
  return Array.from({ length: copies }, (_, index): SampleTarget => {
    const number = copies === 1 ? '' : `-${index + 1}`;
    const host = `${system.name}${number}`;
    const clientPort = system.type === undefined && random.chance(0.3) ? 10_000 + system.port : undefined;
    return {
      name: `${host} ${region}`,
      description: `${system.what}${copies === 1 ? '' : `, ${index + 1} of ${copies}`}`,
      type: system.type ?? 'tcp',
      address: `${host}.${project.toLowerCase()}.${region}.internal`,
      attributes: {
        default_port: system.port,
        ...(clientPort !== undefined && clientPort <= 65_535 ? { default_client_port: clientPort } : {}),
      },
      session_max_seconds: random.pick(shifts),
      session_connection_limit: system.type === undefined ? -1 : random.between(1, 3),
      ...(random.chance(0.6) ? { egress_worker_filter: workerFilter(random, region) } : {}),
    };
  });
}

function workerFilter(random: Random, region: string): string {
  const here = `"${region}" in "/tags/region"`;
  return random.chance(0.4) ? `${here} and "restricted" in "/tags/zone"` : here;
}
