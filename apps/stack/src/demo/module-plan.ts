import type { PlannedFolder, PlannedInput } from './module-files.ts';
import {
  aws,
  azure,
  bucket,
  eks,
  endpoints,
  peering,
  postgres,
  queue,
  spoke,
  vpcExample,
  vpcOne,
  vpcTwo,
} from './module-folders.ts';

export interface PlannedModuleVersion {
  readonly version: string;
  /** When it was published, in days before the demo starts. */
  readonly ago: number;
  readonly folders: Readonly<Record<string, PlannedFolder>>;
  /** Files in addition to the folders' declarations. */
  readonly files?: Readonly<Record<string, string>>;
  readonly deprecation?: {
    readonly state: 'deprecated' | 'revoked';
    readonly message: string;
    readonly replacement: string;
    /** In days before the demo starts. */
    readonly ago: number;
  };
}

export interface PlannedModule {
  /** `namespace/name/provider`. */
  readonly address: string;
  readonly description: string;
  /** The path of its repository below `https://git.example.com/`. */
  readonly repository: string;
  readonly verified?: true;
  /** Whether the smaller environments have the module too. */
  readonly everywhere?: true;
  readonly versions: readonly PlannedModuleVersion[];
}

/** A client that downloads modules with its own token. */
export interface PlannedConsumer {
  /** The token's description. */
  readonly token: string;
  readonly owner: string;
  /**
   * `namespace/name/provider/version`, and the days of its downloads before the demo starts: the first, the last, and
   * the interval.
   */
  readonly fetches: readonly (readonly [version: string, from: number, to: number, every: number])[];
}

/** The sample company's modules, in order of creation. */
export const modulePlan: readonly PlannedModule[] = [
  {
    address: 'platform/vpc/aws',
    description: 'The network every account starts from',
    repository: 'platform/network',
    verified: true,
    everywhere: true,
    versions: [
      { version: '1.0.0', ago: 90, folders: { '': vpcOne } },
      {
        version: '1.1.0',
        ago: 79,
        folders: { '': vpcOne, 'modules/peering': peering },
        deprecation: {
          state: 'revoked',
          message: 'The route tables send private traffic through the public subnets.',
          replacement: '1.1.1',
          ago: 77,
        },
      },
      { version: '1.1.1', ago: 77, folders: { '': vpcOne, 'modules/peering': peering } },
      {
        version: '1.2.0',
        ago: 60,
        folders: { '': vpcOne, 'modules/peering': peering, 'modules/endpoints': endpoints },
        deprecation: {
          state: 'deprecated',
          message: 'Provider 5.x gets no fixes after the end of the year.',
          replacement: '2.1.0',
          ago: 20,
        },
      },
      {
        version: '2.0.0',
        ago: 41,
        folders: {
          '': vpcTwo,
          'modules/peering': peering,
          'modules/endpoints': endpoints,
          'examples/complete': vpcExample,
        },
      },
      {
        version: '2.1.0',
        ago: 22,
        folders: {
          '': { ...vpcTwo, inputs: [...vpcTwo.inputs, ['ipv6', 'bool', 'Dual stack', 'false']] },
          'modules/peering': peering,
          'modules/endpoints': endpoints,
          'examples/complete': vpcExample,
        },
      },
      {
        version: '2.2.0-rc.1',
        ago: 4,
        folders: { '': { ...vpcTwo, providers: aws('~> 6.10') }, 'modules/endpoints': endpoints },
      },
    ],
  },
  {
    address: 'platform/eks/aws',
    description: 'Kubernetes with ingress, certificates and metrics',
    repository: 'platform/kubernetes',
    verified: true,
    versions: [
      { version: '3.0.0', ago: 58, folders: { '': eks } },
      {
        version: '3.1.0',
        ago: 30,
        folders: {
          '': { ...eks, inputs: [...eks.inputs, ['log_types', 'set(string)', 'Log retention', '[]']] },
        },
      },
      {
        version: '4.0.0',
        ago: 9,
        folders: {
          '': {
            ...eks,
            inputs: [
              ...eks.inputs
                .filter(([name]) => name !== 'endpoint_public_access')
                .map(([name, type, description, byDefault]): PlannedInput =>
                  name === 'kubernetes_version'
                    ? [name, type, description, '"1.33"']
                    : byDefault === undefined
                      ? [name, type, description]
                      : [name, type, description, byDefault],
                ),
              ['access_entries', 'map(list(string))', 'Roles and their permissions'],
            ],
          },
          'examples/private': {
            inputs: [],
            outputs: [],
            calls: [['cluster', '../..']],
          },
        },
      },
    ],
  },
  {
    address: 'platform/network/azurerm',
    description: 'Hub and spokes',
    repository: 'platform/network-azure',
    everywhere: true,
    versions: [
      { version: '0.9.0', ago: 48, folders: { '': azure } },
      { version: '1.0.0', ago: 27, folders: { '': azure, 'modules/spoke': spoke } },
    ],
  },
  {
    address: 'data/postgres/google',
    description: 'PostgreSQL with backups and a private address',
    repository: 'data/postgres',
    versions: [
      { version: '0.4.0', ago: 70, folders: { '': postgres } },
      {
        version: '0.5.0',
        ago: 44,
        folders: {
          '': {
            ...postgres,
            inputs: [...postgres.inputs, ['replicas', 'number', 'Read replicas', '0']],
          },
        },
      },
      {
        version: '1.0.0',
        ago: 13,
        folders: {
          '': {
            ...postgres,
            inputs: [
              ['name', 'string', 'Name of the instance'],
              ['network_id', 'string', 'Network for its private address'],
              ['tier', 'string', 'Machine type', '"db-perf-optimized-N-2"'],
              ['database_version', 'string', 'Version', '"POSTGRES_18"'],
              ['backup_days', 'number', 'How long backups are kept', '30'],
              ['deletion_protection', 'bool', 'Whether deletion protection is on', 'true'],
              ['replicas', 'map(object({ zone = string }))', 'Read replicas by name', '{}'],
            ],
          },
        },
      },
    ],
  },
  {
    address: 'data/bucket/aws',
    description: 'A private bucket',
    repository: 'data/bucket',
    versions: [
      {
        version: '1.0.0',
        ago: 86,
        folders: { '': bucket },
        deprecation: {
          state: 'deprecated',
          message: "Objects are encrypted with the account's key. The new module has its own key.",
          replacement: 'data/object-store/aws',
          ago: 33,
        },
      },
    ],
  },
  {
    address: 'data/object-store/aws',
    description: 'A private bucket with its own key and a lifecycle',
    repository: 'data/object-store',
    versions: [
      {
        version: '1.0.0',
        ago: 35,
        folders: {
          '': {
            ...bucket,
            readme: '# Object store\n\nA bucket, its key, and when objects move to cheaper storage.',
            inputs: [
              ...bucket.inputs,
              ['cold_after_days', 'number', 'When objects move to cold storage', '90'],
            ],
            resources: [
              ...(bucket.resources ?? []),
              'aws_kms_key this',
              'aws_s3_bucket_lifecycle_configuration this',
            ],
            providers: aws('~> 6.0'),
          },
        },
      },
    ],
  },
  {
    address: 'commerce/queue/aws',
    description: 'A queue with a dead-letter queue and alarms',
    repository: 'commerce/queue',
    versions: [
      { version: '0.1.0', ago: 52, folders: { '': queue } },
      {
        version: '0.2.0',
        ago: 16,
        folders: { '': queue },
        files: {
          'alarms.tf':
            'resource "aws_cloudwatch_metric_alarm" "depth" {\n  alarm_name = "${var.name}-depth\n  threshold  = 100\n}\n',
        },
      },
    ],
  },
];

/** The clients that download the modules. */
export const consumerPlan: readonly PlannedConsumer[] = [
  {
    token: 'landing zone pipeline',
    owner: 'tomasz.wrona',
    fetches: [
      ['platform/vpc/aws/1.0.0', 88, 62, 11],
      ['platform/vpc/aws/1.2.0', 59, 42, 9],
      ['platform/vpc/aws/2.0.0', 40, 23, 7],
      ['platform/vpc/aws/2.1.0', 21, 0, 5],
      ['platform/eks/aws/3.1.0', 29, 9, 7],
      ['platform/eks/aws/4.0.0', 8, 0, 3],
      ['platform/network/azurerm/1.0.0', 26, 1, 11],
    ],
  },
  {
    token: 'shop deployments',
    owner: 'mateus.lima',
    fetches: [
      ['platform/vpc/aws/1.1.0', 78, 78, 1],
      ['platform/vpc/aws/1.2.0', 57, 2, 9],
      ['platform/eks/aws/3.0.0', 55, 3, 7],
      ['commerce/queue/aws/0.1.0', 50, 18, 7],
      ['commerce/queue/aws/0.2.0', 15, 1, 5],
    ],
  },
  {
    token: 'warehouse nightly',
    owner: 'priya.raman',
    fetches: [
      ['data/postgres/google/0.4.0', 69, 45, 7],
      ['data/postgres/google/0.5.0', 43, 1, 7],
      ['data/bucket/aws/1.0.0', 84, 6, 13],
      ['data/object-store/aws/1.0.0', 30, 2, 13],
      ['platform/vpc/aws/1.1.1', 76, 5, 15],
    ],
  },
];
