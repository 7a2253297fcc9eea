import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkDirections } from './directions.mjs';
import { root } from './folders.mjs';
import { readWorkspaces } from './imports.mjs';
import { floors, rooms } from './rooms.mjs';

// A working copy with the packages of this one, and the files that a test plants in it.
const packages = [
  ...readWorkspaces(root).filter((one) => one.folder !== ''),
  // Its rooms are named before it is there.
  {
    folder: 'apps/module-registry',
    name: '@gatehouse/module-registry',
    exports: { './*': './src/*.ts' },
  },
];
let folder: string;

function begin() {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-directions-'));
  plant('package.json', JSON.stringify({ workspaces: packages.map((one) => one.folder) }));
  for (const { folder, name, exports } of packages) {
    plant(`${folder}/package.json`, JSON.stringify({ name, exports, imports: { '#*': './src/*' } }));
  }
}

const end = () => fs.rmSync(folder, { recursive: true });

function plant(file: string, ...lines: string[]) {
  fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), lines.join('\n'));
}

/** What the check says of the planted files, rule by rule. It passes where it says nothing. */
async function check() {
  const { ok, output } = await checkDirections(folder);
  expect(ok).toBe(output === '');
  return output.split('\n');
}

/** The ways to write an import. */
const ways = (text: string) => [
  `import { a } from '${text}';`,
  `import type { B } from '${text}';`,
  `export { c } from '${text}';`,
  `export const d = () => import('${text}');`,
  `export type E = import('${text}').E;`,
];

const byPath = (from: string, to: string) => {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  return relative.startsWith('.') ? relative : `./${relative}`;
};

/** How else a file may name another: `#…` in its own package, or the name that another package gives out. */
function byName(from: string, to: string) {
  const home = packages.find((one) => to.startsWith(`${one.folder}/`));
  if (home === undefined || from.startsWith(`${home.folder}/`)) return to.replace(/^.*?\/src\//, '#');
  for (const [name, target] of Object.entries(home.exports)) {
    const [before = '', after] = path.posix.join(home.folder, target).split('*');
    if (after === undefined ? to !== before : !to.startsWith(before) || !to.endsWith(after)) continue;
    return home.name + name.slice(1).replace('*', to.slice(before.length, to.length - (after ?? '').length));
  }
  throw new Error(`${to} is given out by no name`);
}

// Files of other packages.
const button = 'packages/ui/src/button/index.ts';
const clock = 'packages/service-kit/src/clock.ts';
const wireForm = 'packages/api-types/src/services/access-controller.ts';
const aContract = 'packages/api-types/src/contract.ts';

type Case = readonly [from: string, what: string, because: string];

describe('a room', () => {
  const stack = 'The stack boots servers; the page is files to it.';
  const lib = 'lib is used by routes, components and queries; it knows none of them.';
  const libKnows = 'The page knows the contract, record-merge and the design system only.';
  const queries = 'Data goes one way: pages use queries, never the reverse.';
  const components = 'Routes use components, never the reverse.';
  const routes = 'The console is started once and opens routes, never the reverse.';
  const page = 'The page knows the contract, record-merge, filter-expression and the design system only.';
  const ui = 'The design system knows no router, query, form or other room.';
  const contract = 'The contract knows schemas and merge policies only.';
  const alone = 'A service stands alone: it shares service-kit and the language of filters.';
  const kit = 'service-kit is below every server and knows none of them.';
  const rules = 'Rules are free of HTTP and SQL.';
  const rulesKnow = 'Rules know accounts, clocks, ids, texts of JSON and the language of filters only.';
  const store = 'The store is free of HTTP.';
  const sql = 'SQL belongs to store/.';
  const bff = 'The BFF reaches services over HTTP alone and knows nothing of the page.';
  const wire = 'Wire forms of services are known by upstreams/, sources/, shared/ and api/ alone.';
  const floorsOfBff =
    'In the BFF imports go down: start → http → api → shared → operation → audit, conflict, session, uploads, moves → sources → upstreams → store, config → ground.';

  const web = 'apps/web/src';
  const filter = 'packages/filter-expression/src/parse.ts';

  /** A file that a pattern means. */
  const fileOf = (pattern: string) => pattern.replaceAll(/\{(.*?),.*?\}/g, '$1').replace('**', 'planted.ts');
  const each = (from: string, what: readonly string[], because: string) =>
    what.map((one): Case => [from, one, because]);

  const cases: Case[] = [
    ['apps/stack/src/a.ts', button, stack],
    ['apps/stack/src/a.test.ts', 'packages/record-merge/src/edit.ts', stack],
    ['e2e/tests/a.spec.ts', clock, 'End-to-end tests see what a person and a client of the services see.'],

    ['apps/web/src/lib/a.ts', filter, libKnows],
    ...each(`${web}/lib/a.ts`, [`${web}/routes/b.ts`, `${web}/components/b.ts`], lib),
    ...each(`${web}/lib/a.ts`, [`${web}/queries/b.ts`, `${web}/router.tsx`], lib),
    [`${web}/queries/a.ts`, button, 'Queries know the contract; they draw nothing.'],
    ...each(`${web}/queries/a.ts`, [`${web}/routes/b.ts`, `${web}/components/b.ts`], queries),
    ...each(`${web}/queries/a.ts`, [`${web}/router.tsx`], queries),
    [`${web}/components/a.ts`, clock, page],
    ...each(`${web}/components/a.ts`, [`${web}/routes/b.ts`, `${web}/router.tsx`], components),
    ...each(`${web}/routes/a.ts`, [wireForm, 'apps/bff/src/operation/context.ts'], page),
    [`${web}/routes/a.ts`, `${web}/console.tsx`, routes],
    [`${web}/sign-in/a.ts`, clock, page],
    ...['lib/a.ts', 'queries/a.ts', 'components/a.ts', 'routes/a.ts', 'main.tsx'].flatMap((file) => [
      ...each(`${web}/${file}`, ['zod'], 'The page uses zod/mini.'),
      ...each(`${web}/${file}`, ['node:fs', 'express', 'pino', 'yaml'], 'This belongs to a server.'),
    ]),

    ...each('packages/ui/src/a/index.ts', [aContract, 'zod/mini', 'node:fs', 'react-hook-form'], ui),
    ...each('packages/ui/src/a/index.ts', ['@tanstack/react-router', '@hookform/resolvers'], ui),
    ...['node:fs', 'zod/mini', clock].flatMap((what): Case[] => [
      ['packages/record-merge/src/a.ts', what, 'record-merge is pure: it needs node-diff3 alone.'],
      ['packages/filter-expression/src/a.ts', what, 'filter-expression is pure: it needs re2js alone.'],
    ]),
    ...['contract.ts', 'services/a.ts'].flatMap((file) => [
      ...each(`packages/api-types/src/${file}`, [clock, 'node:fs', 'express', 'react-dom'], contract),
      ...each(
        `packages/api-types/src/${file}`,
        ['zod'],
        'Schemas are written in zod/mini: the page carries them.',
      ),
    ]),
    ['packages/api-types/src/console/a.ts', wireForm, 'The page must not carry the wire forms of services.'],
    ...['clock', 'http', 'temporary-folder', 'turns', 'store'].flatMap((name) =>
      each(`packages/service-kit/src/${name}.ts`, [aContract, 'zod/mini', 'react'], kit),
    ),
    ...each(
      'packages/module-archive/src/a.ts',
      [clock, aContract, 'express'],
      'module-archive reads archives for any caller: it needs only the parsers and turns.',
    ),
    ...each(
      'packages/cloud-double/src/a.ts',
      [clock, aContract],
      'The double of the provider knows nothing of the house: it needs Node alone.',
    ),
    ...each(
      'packages/cloud-double/src/a.ts',
      ['express', 'kysely'],
      'The double of the provider needs Node alone.',
    ),

    ...['access-controller', 'secrets-server', 'box-registry', 'module-registry'].flatMap((service) => {
      const src = `apps/${service}/src`;
      const other = `apps/${service === 'box-registry' ? 'secrets-server' : 'box-registry'}/src/people.ts`;
      return [
        ...each(`${src}/domain/a.ts`, ['packages/service-kit/src/store.ts', other], rulesKnow),
        ...each(`${src}/domain/a.ts`, [`${src}/http/b.ts`, `${src}/store/b.ts`], rules),
        ...each(`${src}/domain/a.ts`, ['express', 'kysely', 'node:http', 'node:sqlite', 'pino'], rules),
        ...each(
          `${src}/store/a.ts`,
          [filter, other],
          'A service stands alone: service-kit is all that it shares.',
        ),
        ...each(`${src}/store/a.ts`, [`${src}/http/b.ts`, 'express', 'node:http'], store),
        ...each(`${src}/store/a.ts`, ['packages/service-kit/src/http-error.ts'], store),
        ...['http/a.ts', 'app.ts'].flatMap((file) => [
          ...each(`${src}/${file}`, [other, aContract, 'apps/bff/src/operation/context.ts'], alone),
          ...each(`${src}/${file}`, ['kysely', 'node:sqlite'], sql),
        ]),
      ];
    }),

    ...floors.flatMap((floor, level) =>
      floor.flatMap(({ room, files }) => {
        const from = fileOf(files);
        const above = floors.slice(0, level).flatMap((rooms) => rooms.map((other) => fileOf(other.files)));
        const knowsWire = ['bff/api', 'bff/shared', 'bff/sources', 'bff/upstreams'].includes(room);
        return [
          ...each(from, ['apps/access-controller/src/people.ts', button], bff),
          ...each(from, knowsWire ? [] : [wireForm], wire),
          ...each(from, above, floorsOfBff),
        ];
      }),
    ),
    [
      'apps/bff/src/http/a.ts',
      'apps/bff/src/api/b.ts',
      'Operations are handed to http/, which knows none of them.',
    ],
  ];

  const isFile = (what: string) => /\.tsx?$/.test(what);
  const namesOf = ([from, what]: Case) => (isFile(what) ? [byPath(from, what), byName(from, what)] : [what]);
  let said: Set<string>;

  // All are planted in one working copy: reading it takes longer than what a case is about.
  beforeAll(async () => {
    begin();
    for (const [, what] of cases) if (isFile(what)) plant(what, 'export {};');
    for (const [from, all] of Map.groupBy(cases, ([from]) => from)) {
      plant(from, ...all.flatMap(namesOf).flatMap(ways));
    }
    said = new Set(await check());
  });
  afterAll(end);

  it.each(cases)('%s may not import %s', (...one) => {
    const [from, what, because] = one;
    const lines = fs.readFileSync(path.join(folder, from), 'utf8').split('\n');
    const expected = namesOf(one).flatMap((text) =>
      ways(text).map((way) => {
        const file = isFile(what) ? ` (${what})` : '';
        return `${from}:${lines.indexOf(way) + 1}: import of ${text}${file}. ${because}`;
      }),
    );
    expect(expected.filter((line) => !said.has(line))).toEqual([]);
  });

  it('has a case above for each of its reasons', () => {
    const roomOf = (file: string) => rooms.find((row) => path.matchesGlob(file, row.files))?.room;
    const seen = new Set(cases.map(([from, , because]) => `${roomOf(from)}: ${because}`));
    const reasons = rooms
      .filter((row) => row.may !== 'anything')
      .flatMap((row) =>
        [
          row.because,
          ...(row.never ?? []).filter((never) => never.rooms?.length !== 0).map((never) => never.because),
        ].map((because) => `${row.room}: ${because}`),
      );
    expect(reasons.filter((reason) => !seen.has(reason))).toEqual([]);
  });
});

describe('an import', () => {
  beforeEach(begin);
  afterEach(end);

  it('enters another package by its name', async () => {
    plant(button, 'export {};');
    plant('apps/web/src/lib/a.ts', ...ways(byPath('apps/web/src/lib/a.ts', button)));
    const said = await check();
    expect(said.filter((line) => line.endsWith('Another package is imported by its name.'))).toHaveLength(5);
    plant('apps/web/src/lib/a.ts', ...ways('@gatehouse/ui/button'));
    expect(await check()).toEqual(['']);
  });

  it('belongs to a file of some room', async () => {
    plant('apps/new-service/src/a.ts', 'export {};');
    expect(await check()).toContain(
      'apps/new-service/src/a.ts belongs to no room: give it one in tools/rooms.mjs.',
    );
  });

  it('leads somewhere', async () => {
    plant(
      'apps/bff/src/api/a.ts',
      "import './gone.ts';",
      "import '#gone.ts';",
      "import '@gatehouse/api-types/gone';",
      'export const b = (name: string) => import(name);',
      'export const c = (name: string) => import(`./${name}.ts`);',
    );
    const said = (await check()).filter((line) => line.endsWith('No such file.'));
    expect(said).toEqual([
      'apps/bff/src/api/a.ts:1: import of ./gone.ts. No such file.',
      'apps/bff/src/api/a.ts:2: import of #gone.ts. No such file.',
      'apps/bff/src/api/a.ts:3: import of @gatehouse/api-types/gone. No such file.',
      'apps/bff/src/api/a.ts:4: import of (name). No such file.',
      'apps/bff/src/api/a.ts:5: import of (`./${name}.ts`). No such file.',
    ]);
  });

  it('is free where the table says so, and in tests', async () => {
    plant('packages/ui/src/button/index.ts', "import 'react';");
    plant('packages/ui/src/styles/index.css');
    plant(aContract, "import 'zod/mini';");
    plant(wireForm, "import '../contract.ts';");
    plant(clock, 'export {};');
    plant('apps/web/src/lib/b.worker.ts', 'export {};');
    plant('apps/web/src/lib/b.ts', "import './b.worker.ts?worker&url';");
    plant('apps/web/src/queries/b.ts', "import '#lib/b.ts';", "import '@gatehouse/api-types/contract';");
    plant('apps/web/src/routes/b.ts', "import '#queries/b.ts';", "import '@gatehouse/ui/styles.css';");
    plant('apps/web/src/router.tsx', "import './routeTree.gen.ts';");
    plant('apps/bff/src/upstreams/b.ts', "import '@gatehouse/api-types/services/access-controller';");
    plant('apps/bff/src/api/b.ts', "import '#upstreams/b.ts';", "import '@gatehouse/service-kit/clock';");
    plant('apps/bff/src/app.ts', "import manifest from '../../../package.json' with { type: 'json' };");
    plant(
      'apps/web/src/lib/b.test.ts',
      "import 'node:fs';",
      "import '#routes/b.ts';",
      "import '@gatehouse/api-types/services/access-controller';",
    );
    expect(await check()).toEqual(['']);
  });
});

describe('a name with #', () => {
  beforeEach(begin);
  afterEach(end);
  it('leads where "imports" of the package says, the longest pattern first', async () => {
    const imports = { '#*': './src/*', '#data/*': './src/queries/*.ts', '#entry': './src/main.tsx' };
    plant('apps/web/package.json', JSON.stringify({ name: '@gatehouse/web', imports }));
    plant('apps/web/src/main.tsx', 'export {};');
    plant('apps/web/src/queries/b.ts', 'export {};');
    plant('apps/web/src/lib/a.ts', "import '#data/b';", "import '#entry';", "import '#queries/b.ts';");
    const lib = 'lib is used by routes, components and queries; it knows none of them.';
    expect((await check()).filter((line) => line.endsWith(lib))).toEqual([
      `apps/web/src/lib/a.ts:1: import of #data/b (apps/web/src/queries/b.ts). ${lib}`,
      `apps/web/src/lib/a.ts:2: import of #entry (apps/web/src/main.tsx). ${lib}`,
      `apps/web/src/lib/a.ts:3: import of #queries/b.ts (apps/web/src/queries/b.ts). ${lib}`,
    ]);
  });
});

describe('a circle', () => {
  beforeEach(begin);
  afterEach(end);
  const [a, b, c] = ['apps/bff/src/api/a.ts', 'apps/bff/src/api/b.ts', 'apps/bff/src/api/c/c.ts'];

  it.each([...ways('_'), "export {} from '_';", "export type {} from '_';"])(
    'is found when closed by %s, by path and by #',
    async (way) => {
      for (const back of ['../a.ts', '#api/a.ts']) {
        plant(a, "import { b } from './b.ts';");
        plant(b, '', "import { c } from '#api/c/c.ts';");
        plant(c, '', '', way.replace('_', back));
        expect(await check()).toEqual([
          `circle: ${a}:1 → ${b}:2 → ${c}:3 → ${a}`,
          '',
          'circles, types included: 1',
        ]);
      }
    },
  );

  it('is found through packages, through comments that type JavaScript, and in one file', async () => {
    plant('packages/service-kit/src/clock.ts', "import type {} from '@gatehouse/service-kit/store';");
    plant('packages/service-kit/src/store.ts', "import type {} from './clock.ts';");
    plant('tools/a.mjs', "/** @type {import('./b.mjs').B} */");
    plant('tools/b.mjs', "export * from './a.mjs';");
    plant('tools/c.mjs', "import './c.mjs';");
    expect((await check()).filter((line) => line.startsWith('circle:'))).toEqual([
      'circle: packages/service-kit/src/clock.ts:1 → packages/service-kit/src/store.ts:1 → packages/service-kit/src/clock.ts',
      'circle: tools/a.mjs:1 → tools/b.mjs:1 → tools/a.mjs',
      'circle: tools/c.mjs:1 → tools/c.mjs',
    ]);
  });

  it('is told once, however many imports are part of it, and shorter ones by themselves', async () => {
    plant(a, "import './b.ts';", "import type {} from './b.ts';");
    plant(b, "import './a.ts';", "import './c/c.ts';");
    plant(c, "import '../a.ts';");
    expect((await check()).filter((line) => line.startsWith('circle:'))).toEqual([
      `circle: ${a}:1 → ${b}:1 → ${a}`,
      `circle: ${a}:1 → ${b}:2 → ${c}:1 → ${a}`,
    ]);
  });

  it('is none where two ways lead to one file', async () => {
    plant(a, "import './b.ts';", "import './c/c.ts';");
    plant(b, "import './c/c.ts';");
    plant(c, 'export {};');
    expect(await check()).toEqual(['']);
  });
});

describe('a screen', () => {
  beforeEach(begin);
  afterEach(end);
  const routes = 'apps/web/src/routes';
  const told = 'what screens share lies in a folder around them.';
  beforeEach(() => {
    for (const screen of [
      'boxes',
      'boxes/$name',
      'boxes/$name/edit',
      'boxes/new',
      'people',
      'people/$id/edit',
    ]) {
      plant(`${routes}/${screen}/index.tsx`, 'export {};');
    }
  });

  it.each([
    ['boxes/new/NewBox.tsx', 'boxes/$name/BoxCard.tsx', 'boxes/$name'],
    ['boxes/new/NewBox.tsx', 'boxes/$name/-card/Card.tsx', 'boxes/$name'],
    ['boxes/new/NewBox.tsx', 'boxes/$name/card/Card.tsx', 'boxes/$name'],
    ['boxes/-list/List.tsx', 'people/-parts/may.ts', 'people'],
    ['boxes/BoxesPage.tsx', 'boxes/new/NewBox.tsx', 'boxes/new'],
    ['boxes/BoxesPage.tsx', 'boxes/new/-form/form.ts', 'boxes/new'],
    ['boxes/-list/List.tsx', 'boxes/new/-form/form.ts', 'boxes/new'],
    ['people/PeoplePage.tsx', 'people/$id/person.ts', 'people/$id'],
    ['people/PeoplePage.tsx', 'people/-parts/edit/../../$id/edit/Edit.tsx', 'people/$id/edit'],
    ['require-session.ts', 'people/may.ts', 'people'],
  ])('%s may not import %s', async (from, to, screen) => {
    const target = path.posix.normalize(`${routes}/${to}`);
    plant(target, 'export {};');
    for (const text of [byPath(`${routes}/${from}`, target), byName(`${routes}/${from}`, target)]) {
      plant(`${routes}/${from}`, ...ways(text));
      const said = (await check()).filter((line) => line.endsWith(told));
      expect(said).toEqual(
        [1, 2, 3, 4, 5].map(
          (line) =>
            `${routes}/${from}:${line}: import of ${text} (${target}). It belongs to another screen, ${screen}: ${told}`,
        ),
      );
    }
  });

  it.each([
    ['boxes/BoxesPage.tsx', 'boxes/-list/List.tsx'],
    ['boxes/-list/List.tsx', 'boxes/-list/columns/columns.ts'],
    ['boxes/BoxesPage.tsx', 'boxes/-list/index.tsx'],
    ['boxes/-list/List.tsx', 'boxes/BoxesMenu.tsx'],
    ['boxes/$name/edit/Edit.tsx', 'boxes/places.ts'],
    ['boxes/$name/edit/Edit.tsx', 'boxes/-editing/form.ts'],
    ['boxes/$name/edit/Edit.tsx', 'boxes/$name/-parts/form.ts'],
    ['people/$id/edit/Edit.tsx', 'people/$id/person.ts'],
    ['people/$id/edit/Edit.tsx', 'require-session.ts'],
    ['boxes/new/NewBox.test.tsx', 'people/-parts/may.ts'],
  ])('%s may import %s', async (from, to) => {
    plant(`${routes}/${to}`, 'export {};');
    for (const text of [byPath(`${routes}/${from}`, `${routes}/${to}`), `#routes/${to}`]) {
      plant(`${routes}/${from}`, `import '${text}';`);
      expect((await check()).filter((line) => /screen|router/.test(line))).toEqual([]);
    }
  });

  it('does not import a route', async () => {
    plant(
      `${routes}/boxes/$name/edit/Edit.tsx`,
      "import './index.tsx';",
      "import '#routes/boxes/index.tsx';",
    );
    expect((await check()).filter((line) => line.endsWith('by the router alone.'))).toHaveLength(2);
  });
});

describe('an import of three levels', () => {
  beforeEach(begin);
  afterEach(end);
  it('is refused inside a package, in its tests too', async () => {
    plant('apps/bff/src/config/b.ts', 'export {};');
    plant('apps/bff/src/api/boxes/box/a.test.ts', ...ways('../../../config/b.ts'));
    expect((await check()).slice(0, 5)).toEqual(
      [1, 2, 3, 4, 5].map(
        (line) =>
          `apps/bff/src/api/boxes/box/a.test.ts:${line}: import of ../../../config/b.ts (apps/bff/src/config/b.ts). Three levels up and more are written as \`#…\`, from "imports" of the package.`,
      ),
    );
    plant('apps/bff/src/api/boxes/box/a.test.ts', ...ways('#config/b.ts'));
    expect(await check()).toEqual(['']);
  });
});
