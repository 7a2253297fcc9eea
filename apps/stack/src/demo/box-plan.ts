/** A provider of a version. Its image is uploaded, or has an external URL. */
export interface PlannedProvider {
  readonly name: string;
  /** `unknown` by default. The first one of a name is its default. */
  readonly architecture?: string;
  /** The size of an uploaded image, in KiB; missing for an external image. */
  readonly kib?: number;
  /** How often clients have downloaded the image. */
  readonly downloads?: number;
}

export interface PlannedVersion {
  readonly version: string;
  /** When it was created, in days before the demo starts. */
  readonly ago: number;
  readonly description: string;
  readonly providers: readonly PlannedProvider[];
  /** Released by default. */
  readonly state?: 'unreleased' | 'revoked';
}

export interface PlannedBox {
  readonly owner: string;
  readonly name: string;
  readonly isPrivate?: boolean;
  readonly shortDescription: string;
  readonly description: string;
  readonly versions: readonly PlannedVersion[];
}

export interface PlannedOrganization {
  readonly username: string;
  readonly profile: string;
  readonly members: Readonly<Record<string, 'owner' | 'publisher' | 'reader'>>;
}

export const organizationPlan: readonly PlannedOrganization[] = [
  {
    username: 'base',
    profile: 'Hardened base images. Rebuilt when the distribution publishes a security update.',
    members: { 'oskar.lindqvist': 'owner', 'tomasz.wrona': 'publisher', 'priya.raman': 'publisher' },
  },
  {
    username: 'commerce',
    profile: 'Whole shops on a laptop, for the checkout and fulfilment teams.',
    members: { 'mateus.lima': 'owner', 'priya.raman': 'publisher', 'lena.fischer': 'reader' },
  },
  {
    username: 'data',
    profile: 'Databases and pipelines with sample data.',
    members: { 'priya.raman': 'owner', 'lena.fischer': 'reader', 'samira.diallo': 'reader' },
  },
];

const debian = `The image every machine in the company starts from.

## Contents
- Debian 12 with that day's security updates
- \`unattended-upgrades\`, \`chrony\`, \`auditd\` with the company's rules
- No passwords; the user \`vagrant\` with the public insecure key, replaced at first boot

## Recent changes
| Version | Change |
|---|---|
| 12.7.2 | Kernel 6.1.119 |
| 12.7.1 | Audit rules for containers |

Sources: [base-images](https://git.example.com/platform/base-images).`;

/** The sample company's boxes, in order of creation. */
export const boxPlan: readonly PlannedBox[] = [
  {
    owner: 'base',
    name: 'debian-12',
    shortDescription: 'Debian 12, hardened',
    description: debian,
    versions: [
      {
        version: '12.5.0',
        ago: 88,
        description: 'First build of the hardened image.',
        providers: [{ name: 'virtualbox', kib: 384, downloads: 9 }],
        state: 'revoked',
      },
      {
        version: '12.7.0',
        ago: 52,
        description: 'Point release. `sshd` without passwords.',
        providers: [
          { name: 'virtualbox', kib: 396, downloads: 31 },
          { name: 'libvirt', kib: 372, downloads: 22 },
        ],
      },
      {
        version: '12.7.1',
        ago: 24,
        description: 'Audit rules for containers.',
        providers: [
          { name: 'virtualbox', kib: 401, downloads: 40 },
          { name: 'libvirt', kib: 377, downloads: 28 },
          { name: 'vmware_desktop', kib: 410, downloads: 6 },
        ],
      },
      {
        version: '12.7.2',
        ago: 6,
        description: 'Kernel 6.1.119.',
        providers: [
          { name: 'virtualbox', kib: 402, downloads: 17 },
          { name: 'libvirt', kib: 378, downloads: 11 },
        ],
        state: 'unreleased',
      },
    ],
  },
  {
    owner: 'base',
    name: 'ubuntu-24.04',
    shortDescription: 'Ubuntu 24.04 LTS, hardened',
    description: 'Like `base/debian-12`, on Ubuntu.',
    versions: [
      {
        version: '2026.8.0',
        ago: 74,
        description: 'First build.',
        providers: [
          { name: 'virtualbox', kib: 420, downloads: 12 },
          { name: 'libvirt', kib: 399, downloads: 25 },
        ],
      },
      {
        version: '2026.10.1',
        ago: 17,
        description: 'Rebuilt with the October updates; for arm64 too.',
        providers: [
          { name: 'virtualbox', architecture: 'amd64', kib: 424, downloads: 21 },
          { name: 'libvirt', architecture: 'amd64', kib: 403, downloads: 34 },
          { name: 'libvirt', architecture: 'arm64', kib: 397, downloads: 8 },
          { name: 'hyperv', architecture: 'amd64', kib: 431, downloads: 3 },
        ],
      },
    ],
  },
  {
    owner: 'base',
    name: 'rocky-9',
    shortDescription: "Rocky Linux 9, from the distribution's own mirror",
    description: "The distribution's image; the company's rules are applied at first boot.",
    versions: [
      {
        version: '9.6.20260531',
        ago: 69,
        description: 'Upstream build of 31 May.',
        providers: [{ name: 'libvirt' }, { name: 'virtualbox' }],
      },
    ],
  },
  {
    owner: 'base',
    name: 'ci-runner',
    isPrivate: true,
    shortDescription: 'Runner of the build farm',
    description: 'What the build farm boots for each job. Private because it contains internal host names.',
    versions: [
      {
        version: '41',
        ago: 33,
        description: 'Summer compiler update.',
        providers: [{ name: 'libvirt', kib: 512, downloads: 44 }],
      },
      {
        version: '42',
        ago: 9,
        description: 'Node 26, Go 1.27.',
        providers: [{ name: 'libvirt', kib: 533, downloads: 27 }],
      },
    ],
  },
  {
    owner: 'commerce',
    name: 'checkout-dev',
    isPrivate: true,
    shortDescription: 'The checkout with its databases, for development',
    description:
      'Starts the checkout, its queue and its database with made-up orders.\n\n```\nvagrant up\nopen https://localhost:8443\n```',
    versions: [
      {
        version: '3.1.0',
        ago: 40,
        description: "Acquirer's sandbox included.",
        providers: [{ name: 'virtualbox', kib: 640, downloads: 14 }],
      },
      {
        version: '3.2.0',
        ago: 11,
        description: 'Vouchers.',
        providers: [
          { name: 'virtualbox', kib: 655, downloads: 8 },
          { name: 'parallels', kib: 649, downloads: 5 },
        ],
      },
    ],
  },
  {
    owner: 'commerce',
    name: 'label-printer',
    shortDescription: 'Simulates the label printers of a warehouse',
    description: 'Emulates sixteen printers, two of them out of paper.',
    versions: [
      {
        version: '0.9.0',
        ago: 58,
        description: 'Works for the happy path.',
        providers: [{ name: 'virtualbox', kib: 128, downloads: 2 }],
      },
    ],
  },
  {
    owner: 'data',
    name: 'postgres-lab',
    shortDescription: 'PostgreSQL 18 with a month of made-up orders',
    description: 'For testing migrations before they touch real data.',
    versions: [
      {
        version: '18.0',
        ago: 46,
        description: 'PostgreSQL 18.',
        providers: [
          { name: 'libvirt', kib: 288, downloads: 16 },
          { name: 'virtualbox', kib: 301, downloads: 10 },
        ],
      },
      {
        version: '18.1',
        ago: 14,
        description: 'PostgreSQL 18.1; logical replication set up.',
        providers: [{ name: 'libvirt', kib: 290, downloads: 7 }],
      },
    ],
  },
];
