// The table of import directions: the rooms, and what each may import. Checked by imports.ts.

/**
 * @typedef {object} Room
 * @property {string} room its name; `service-kit` also means all rooms whose names begin with `service-kit/`
 * @property {string} files a pattern; a file belongs to the first room that has it
 * @property {readonly string[] | 'anything'} may rooms, besides its own files
 * @property {string} because why no others, as the error says
 * @property {readonly string[]} [packages] the only packages from outside; all where it is left out
 * @property {readonly Never[]} [never] what is refused for a reason of its own
 *
 * @typedef {object} Never
 * @property {readonly string[]} [rooms]
 * @property {RegExp} [packages] from outside, as they are written
 * @property {string} because
 * @property {'upward'} [rule] counted apart from the other rules of rooms
 */

const neverOfPage = [
  { packages: /^zod$/, because: 'The page uses zod/mini, which is smaller.' },
  { packages: /^(node:|express|kysely|pino|undici)/, because: 'Only servers use this package.' },
];

/** @type {Room[]} */
const page = [
  {
    room: 'web/lib',
    files: 'apps/web/src/lib/**',
    may: ['contract', 'record-merge', 'ui'],
    because: 'The page may only use the contract, record-merge and the design system.',
    never: [
      { rooms: ['web'], because: 'Routes, components and queries use lib, never the reverse.' },
      ...neverOfPage,
    ],
  },
  {
    room: 'web/queries',
    files: 'apps/web/src/queries/**',
    may: ['web/lib', 'contract', 'record-merge'],
    because: 'Queries fetch data and render nothing.',
    never: [
      {
        rooms: ['web/start', 'web/routes', 'web/components'],
        because: 'Pages use queries, never the reverse.',
      },
      ...neverOfPage,
    ],
  },
  {
    room: 'web/components',
    files: 'apps/web/src/components/**',
    may: ['web/queries', 'web/lib', 'contract', 'record-merge', 'filter-expression', 'ui'],
    because: 'The page may only use the contract, record-merge, filter-expression and the design system.',
    never: [
      { rooms: ['web/start', 'web/routes'], because: 'Routes use components, never the reverse.' },
      ...neverOfPage,
    ],
  },
  {
    room: 'web/routes',
    files: 'apps/web/src/routes/**',
    may: ['web/components', 'web/queries', 'web/lib', 'contract', 'record-merge', 'filter-expression', 'ui'],
    because: 'The page may only use the contract, record-merge, filter-expression and the design system.',
    never: [{ rooms: ['web/start'], because: 'The start opens routes, never the reverse.' }, ...neverOfPage],
  },
  {
    // The entry, the sign-in page and the router.
    room: 'web/start',
    files: 'apps/web/src/**',
    may: ['web', 'contract', 'record-merge', 'filter-expression', 'ui'],
    because: 'The page may only use the contract, record-merge, filter-expression and the design system.',
    never: neverOfPage,
  },
  {
    room: 'ui',
    files: 'packages/ui/src/**',
    may: [],
    because: 'The design system must not depend on a router, queries, forms or other rooms.',
    never: [
      {
        packages: /^(@tanstack\/react-(router|query|form)|react-hook-form|@hookform\/|zod|node:)/,
        because: 'The design system must not depend on a router, queries, forms or other rooms.',
      },
    ],
  },
];

/** @type {Room[]} */
const packages = [
  {
    room: 'record-merge',
    files: 'packages/record-merge/src/**',
    may: [],
    because: 'record-merge may only depend on node-diff3.',
    packages: ['node-diff3'],
  },
  {
    room: 'filter-expression',
    files: 'packages/filter-expression/src/**',
    may: [],
    because: 'filter-expression may only depend on re2js.',
    packages: ['re2js'],
  },
  {
    room: 'module-archive',
    files: 'packages/module-archive/src/**',
    may: ['service-kit/plain'],
    because: 'module-archive may only depend on parsers and turns.',
    packages: [
      '@cdktn/hcl2json',
      'node:events',
      'node:path',
      'node:stream',
      'node:stream/promises',
      'node:worker_threads',
      'node:zlib',
    ],
  },
  {
    room: 'cloud-double',
    files: 'packages/cloud-double/src/**',
    may: [],
    because: "The provider's double may only depend on Node.",
    never: [{ packages: /^(?!node:)/, because: "The provider's double may only depend on Node." }],
  },
  ...[
    {
      room: 'wire-forms',
      files: 'packages/api-types/src/services/**',
      may: ['contract', 'record-merge'],
      never: [],
    },
    {
      room: 'contract',
      files: 'packages/api-types/src/**',
      may: ['record-merge'],
      never: [
        { rooms: ['wire-forms'], because: "The services' wire formats must not become part of the page." },
      ],
    },
  ].map((row) => ({
    ...row,
    because: 'The contract may only depend on schemas and merge policies.',
    never: [
      ...row.never,
      { packages: /^zod$/, because: 'Write schemas in zod/mini, because they are part of the page.' },
      {
        packages: /^(node:|(express|react)(\/|$)|react-)/,
        because: 'The contract may only depend on schemas and merge policies.',
      },
    ],
  })),
  ...[
    // What a service's rules may know, what answers HTTP, what end-to-end tests use, and what limits the work on
    // archives.
    { room: 'service-kit/rules', files: 'packages/service-kit/src/{accounts,clock,ids}.ts' },
    { room: 'service-kit/http', files: 'packages/service-kit/src/http*.ts' },
    { room: 'service-kit/temporary-folder', files: 'packages/service-kit/src/temporary-folder.ts' },
    { room: 'service-kit/plain', files: 'packages/service-kit/src/{der,turns,parse-json,trim-slashes}.ts' },
    { room: 'service-kit/rest', files: 'packages/service-kit/src/**' },
  ].map((row) => ({
    ...row,
    may: ['service-kit'],
    because: 'Servers use service-kit, never the reverse.',
    never: [{ packages: /^(react|zod)/, because: 'Servers use service-kit, never the reverse.' }],
  })),
];

const services = ['access-controller', 'secrets-server', 'box-registry', 'module-registry'];

const noSql = { packages: /^(kysely|node:sqlite)/, because: 'SQL belongs in store/.' };

/**
 * The module registry reads archives, and the console does if a registry doesn't.
 * @param {string} service
 */
const archivesOf = (service) => (service === 'module-registry' ? ['module-archive'] : []);

/** @type {Room[]} */
const roomsOfServices = services.flatMap((service) => [
  {
    room: `${service}/domain`,
    files: `apps/${service}/src/domain/**`,
    may: [
      `${service}/rest`,
      'service-kit/rules',
      'service-kit/plain',
      'filter-expression',
      ...archivesOf(service),
    ],
    because: 'Rules may only use accounts, clocks, IDs, JSON, DER and filter expressions.',
    never: [
      { rooms: [`${service}/http`, `${service}/store`], because: 'Rules must not depend on HTTP or SQL.' },
      {
        packages: /^(express|kysely|node:http|node:sqlite|pino)/,
        because: 'Rules must not depend on HTTP or SQL.',
      },
    ],
  },
  {
    room: `${service}/store`,
    files: `apps/${service}/src/store/**`,
    may: [`${service}/domain`, `${service}/rest`, 'service-kit', ...archivesOf(service)],
    because: 'A service may only share service-kit with others.',
    never: [
      { rooms: [`${service}/http`, 'service-kit/http'], because: 'The store must not depend on HTTP.' },
      { packages: /^(express|node:http)/, because: 'The store must not depend on HTTP.' },
    ],
  },
  ...['http', 'rest'].map((room) => ({
    room: `${service}/${room}`,
    files: `apps/${service}/src/${room === 'http' ? 'http/' : ''}**`,
    may: [service, 'service-kit', 'filter-expression', ...archivesOf(service)],
    because: 'A service may only share service-kit and filter expressions with others.',
    never: [noSql],
  })),
]);

/** The floors of the BFF from top to bottom: an import points to a room of the same floor or a lower one. */
const floors = [
  [{ room: 'bff/start', files: 'apps/bff/src/{main,app}.ts' }],
  [{ room: 'bff/http', files: 'apps/bff/src/http/**' }],
  [{ room: 'bff/api', files: 'apps/bff/src/api/**' }],
  // What an operation is and works with. It names what the lower floors have created.
  [{ room: 'bff/operation', files: 'apps/bff/src/operation/**' }],
  [
    { room: 'bff/audit', files: 'apps/bff/src/audit/**' },
    { room: 'bff/conflict', files: 'apps/bff/src/conflict/**' },
    { room: 'bff/session', files: 'apps/bff/src/session/**' },
    { room: 'bff/uploads', files: 'apps/bff/src/uploads/**' },
    { room: 'bff/moves', files: 'apps/bff/src/moves/**' },
  ],
  // Registries that users name as sources of boxes and modules.
  [{ room: 'bff/sources', files: 'apps/bff/src/sources/**' }],
  [{ room: 'bff/upstreams', files: 'apps/bff/src/upstreams/**' }],
  [
    { room: 'bff/store', files: 'apps/bff/src/store/**' },
    { room: 'bff/config', files: 'apps/bff/src/config/**' },
  ],
  // Problems and the definition of a call, which all floors use.
  [{ room: 'bff/ground', files: 'apps/bff/src/ground/**' }],
];

const knowWireForms = ['bff/api', 'bff/sources', 'bff/upstreams'];

/** @type {Room[]} */
const roomsOfBff = floors.flatMap((floor, level) =>
  floor.map(({ room, files }) => ({
    room,
    files,
    may: ['bff', 'contract', 'wire-forms', 'record-merge', 'module-archive', 'service-kit', 'root'],
    because: 'The BFF reaches services only over HTTP and must not depend on the page.',
    never: [
      ...(knowWireForms.includes(room)
        ? []
        : [
            {
              rooms: ['wire-forms'],
              because: "Only upstreams/, sources/ and api/ may use the services' wire formats.",
            },
          ]),
      ...(room === 'bff/http'
        ? [{ rooms: ['bff/api'], because: 'Operations are passed to http/, which must not import any.' }]
        : []),
      {
        rooms: floors.slice(0, level).flatMap((above) => above.map((other) => other.room)),
        because: `Imports in the BFF go down only: ${floors.map((rooms) => rooms.map((other) => other.room.slice(4)).join(', ')).join(' → ')}.`,
        rule: /** @type {const} */ ('upward'),
      },
    ],
  })),
);

/** @type {readonly Room[]} */
export const rooms = [
  {
    room: 'stack',
    files: 'apps/stack/**',
    may: [
      ...services,
      'bff',
      'cloud-double',
      'contract',
      'wire-forms',
      'filter-expression',
      'module-archive',
      'service-kit',
    ],
    because: 'The stack starts servers and serves the built page.',
  },
  {
    room: 'e2e',
    files: 'e2e/**',
    may: [
      'stack',
      'bff-tests/fault-proxy',
      'service-kit/temporary-folder',
      'cloud-double',
      'contract',
      'tools',
    ],
    because: 'End-to-end tests may only use what users and clients of the services use.',
  },
  ...[
    { room: 'tests', files: '**/*.test.{ts,tsx}' },
    { room: 'bff-tests/fault-proxy', files: 'apps/bff/test/fault-proxy.ts' },
    { room: 'bff-tests/rest', files: 'apps/bff/test/**' },
    { room: 'secrets-server/testing', files: 'apps/secrets-server/src/testing/**' },
    { room: 'tests', files: 'packages/record-merge/test/**' },
    { room: 'bench', files: 'bench/**' },
    { room: 'tools', files: 'tools/**' },
    { room: 'gallery', files: 'packages/ui/gallery/**' },
    { room: 'tools', files: 'apps/web/{vite.config.ts,chunks/**,public/**}' },
    { room: 'root', files: '*' },
  ].map((row) => ({ ...row, may: /** @type {const} */ ('anything'), because: '' })),
  ...page,
  ...packages,
  ...roomsOfServices,
  ...roomsOfBff,
];
