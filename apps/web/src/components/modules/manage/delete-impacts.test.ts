import { expect, test } from 'vitest';
import { deleteImpacts } from './delete-impacts.ts';

const versions = [
  { version: '2.0.0-rc.1', published_time: '', deprecation: null },
  { version: '1.2.0', published_time: '', deprecation: null },
  {
    version: '1.1.0',
    published_time: '',
    deprecation: { state: 'revoked' as const, message: 'x', replacement: '', link: '', time: '' },
  },
  { version: '1.0.0', published_time: '', deprecation: null },
];
const module = { versions, latest: '1.2.0' };
const texts = (...given: Parameters<typeof deleteImpacts>): readonly string[] =>
  deleteImpacts(...given).map(({ kind, text }) => `${kind}: ${text as string}`);

test('names who fetched the version last, and what becomes the latest', () => {
  const found = texts(module, '1.2.0', [
    { token: 'CI runner', owner: 'olga', version: '1.2.0' },
    { token: '', owner: 'ada', version: '1.2.0' },
    { token: 'Laptop', owner: 'rene', version: '1.0.0' },
  ]);
  expect(found.filter((text) => text.startsWith('breaks'))).toEqual([
    "breaks: CI runner of olga fetched it last, and can't any more.",
    "breaks: A token without a description of ada fetched it last, and can't any more.",
    'breaks: It is the latest version: 1.0.0 takes its place.',
  ]);
  expect(found.join()).not.toContain('Laptop');
});

test('many are counted; what the registry does not tell is said', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ token: `t${at}`, owner: 'ada', version: '1.0.0' }));
  expect(texts(module, '1.0.0', many)).toContain('breaks: So did 4 more tokens.');
  expect(texts(module, '1.0.0', null).join()).toContain('does not tell who fetches it');
  expect(texts(module, '1.0.0', []).join()).toContain('No token fetched it last');
  const [only] = [{ ...module, versions: versions.slice(1, 2) }];
  expect(texts(only, '1.2.0', []).join()).toContain('none takes its place');
});
