import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inRoot } from './folders.mjs';
import { checkImports } from './imports.ts';

// A working copy with this one's packages, and files that a test adds.
let copy: TemporaryFolder;
beforeEach(() => {
  copy = temporaryFolder();
  for (const folder of fs.globSync('{apps,packages}/*', { cwd: inRoot() })) {
    const manifest = fs.readFileSync(inRoot(folder, 'package.json'), 'utf8');
    plant(`${folder}/package.json`, manifest);
    plant('node_modules/@gatehouse/.keep');
    const { name } = JSON.parse(manifest) as { name: string };
    fs.symlinkSync(copy.file(folder), copy.file(`node_modules/${name}`), 'junction');
  }
});
afterEach(() => copy[Symbol.dispose]());

function plant(file: string, ...lines: string[]) {
  fs.mkdirSync(path.dirname(copy.file(file)), { recursive: true });
  fs.writeFileSync(copy.file(file), lines.join('\n'));
}

const check = async () => (await checkImports(copy.file('.'))).output.split('\n');

/** The findings about a file, for each form of an import. */
async function judge(from: string, text: string) {
  plant(
    from,
    `import { a } from '${text}';`,
    `import type { B } from '${text}';`,
    `export { c } from '${text}';`,
    `export const d = () => import('${text}');`,
  );
  const said = (await check()).filter((line) => line.startsWith(`${from}:`));
  const because = said.map((line) => line.replace(/^.*?: .*?(?: \(.*?\))?\. /, ''));
  return { lines: said.length, because: [...new Set(because)] };
}

const web = 'apps/web/src';
const page = 'The page may only use the contract, record-merge, filter-expression and the design system.';
const alone = 'A service may only share service-kit and filter expressions with others.';
const down =
  'Imports in the BFF go down only: start → http → api → operation → audit, conflict, session, uploads, moves → sources → upstreams → store, config → ground.';
const lib = 'Routes, components and queries use lib, never the reverse.';
const screen = (name: string) =>
  `It belongs to another screen, ${name}: move what both use into a folder above both.`;
const [boxes, people] = [`${web}/routes/boxes`, `${web}/routes/people`];

test.each([
  [`${web}/lib/a.ts`, '#routes/b.ts', `${web}/routes/b.ts`, lib],
  [`${web}/lib/a.ts`, '../queries/b.ts', `${web}/queries/b.ts`, lib],
  [`${web}/components/a.ts`, '@gatehouse/service-kit/clock', 'packages/service-kit/src/clock.ts', page],
  [`${web}/routes/a.ts`, 'node:fs', '', 'Only servers use this package.'],
  ['packages/record-merge/src/a.ts', 'zod/mini', '', 'record-merge may only depend on node-diff3.'],
  ['apps/box-registry/src/a.ts', '@gatehouse/bff/x', 'apps/bff/src/x.ts', alone],
  ['apps/box-registry/src/http/a.ts', 'kysely', '', 'SQL belongs in store/.'],
  ['apps/bff/src/store/a.ts', '#api/b.ts', 'apps/bff/src/api/b.ts', down],
  [`${boxes}/new/New.tsx`, '../$name/-card/Card.tsx', `${boxes}/$name/-card/Card.tsx`, screen('boxes/$name')],
  [`${boxes}/-list/List.tsx`, '#routes/people/-parts/may.ts', `${people}/-parts/may.ts`, screen('people')],
  [`${boxes}/new/New.tsx`, '../$name/index.tsx', '', 'Only the router may import a route.'],
  ['apps/bff/src/api/a.ts', '#api/gone.ts', '', 'No such file.'],
  ['apps/bff/src/api/a.ts', '@gatehouse/api-types/gone', '', 'No such file.'],
])('%s may not import %s', async (from, text, file, because) => {
  for (const one of ['boxes', 'boxes/$name', 'boxes/new', 'people'])
    plant(`${web}/routes/${one}/index.tsx`, 'export {};');
  if (file !== '') plant(file, 'export {};');
  expect(await judge(from, text)).toEqual({ lines: 4, because: [because] });
});

test("requires that an import enters another package by its name, and isn't three levels long", async () => {
  plant('packages/ui/src/button/index.ts', 'export {};');
  plant('apps/bff/src/config/b.ts', 'export {};');
  const byPath = await judge(`${web}/lib/a.ts`, '../../../../packages/ui/src/button/index.ts');
  expect(byPath).toEqual({ lines: 4, because: ['Import other packages by name.'] });
  expect(await judge('apps/bff/src/api/boxes/box/a.test.ts', '../../../config/b.ts')).toMatchObject({
    because: ["From three levels up, import by a `#…` name from the package's imports."],
  });
});

test('refuses an import whose name is known only at run time, and a file without a room', async () => {
  plant('apps/bff/src/api/a.ts', 'export const b = (name: string) => import(`./${name}.ts`);');
  plant('apps/new-service/src/a.ts', 'export {};');
  expect(await check()).toEqual([
    'apps/new-service/src/a.ts belongs to no room. Add it to one in tools/rooms.mjs.',
    'apps/bff/src/api/a.ts:1: import of (`./${name}.ts`). No such file.',
    '',
    'imports that tools/rooms.mjs forbids: 2',
  ]);
});

test('accepts what the table allows, and everything that tests import', async () => {
  plant('packages/ui/src/button/index.ts', "import 'react';");
  plant('packages/api-types/src/contract.ts', "import 'zod/mini';");
  plant(`${web}/lib/b.worker.ts`, 'export {};');
  plant(`${web}/lib/b.ts`, "import './b.worker.ts?worker&url';");
  plant(`${web}/queries/b.ts`, "import '#lib/b.ts';", "import '@gatehouse/api-types/contract';");
  plant(`${web}/routes/b.ts`, "import '#queries/b.ts';", "import '@gatehouse/ui/button';");
  plant(`${web}/router.tsx`, "import './routeTree.gen.ts';");
  plant(`${web}/lib/b.test.ts`, "import 'node:fs';", "import '#routes/b.ts';");
  expect(await check()).toEqual(['']);
});
