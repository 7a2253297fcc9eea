import { expect, test } from 'vitest';
import { screensOf } from './screens.ts';

const part = (route: string, split = 'component---loader'): string =>
  `src/routes/${route}.tsx?tsr-split=${split}`;
const own = [
  'index.html',
  'src/console.tsx',
  'src/sign-in/sign-in.tsx',
  'src/components/layout/later.ts',
  part('$environment/route'),
];

test('a page loads the entry, its layouts and its own parts', () => {
  const edit = part('$environment/boxes/$name/edit/EditBoxPage');
  const screens = screensOf([...own, part('$environment/boxes/route'), edit]);
  expect(screens.find(({ path }) => path === '/$environment/boxes/$name/edit')).toEqual({
    path: '/$environment/boxes/$name/edit',
    kind: 'record',
    roots: [
      'index.html',
      'src/console.tsx',
      part('$environment/route'),
      part('$environment/boxes/route'),
      edit,
    ],
  });
});

test('addresses distinguish lists from records, and error components are not part of a visit', () => {
  const routes = [
    'index',
    'people/PeoplePage',
    'people/new/NewPersonPage',
    'people/$id/PersonPage',
    'secrets/$mount/folder/$/FolderPage',
  ];
  const screens = screensOf([
    ...own,
    ...routes.map((route) => part(`$environment/${route}`)),
    part('$environment/people/PeoplePage', 'errorComponent'),
  ]);
  expect(screens.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'shell /$environment/route',
    'later src/components/layout/later.ts',
    'list /$environment',
    'record /$environment/people/$id',
    'list /$environment/people',
    'record /$environment/people/new',
    'list /$environment/secrets/$mount/folder/$',
    'sign-in /sign-in',
  ]);
  expect(screens.flatMap(({ roots }) => roots).join()).not.toContain('errorComponent');
});

test.each(own)('a build without %s fails with its name', (missing) => {
  expect(() => screensOf(own.filter((entry) => entry !== missing))).toThrow(missing.split('?')[0]);
});
