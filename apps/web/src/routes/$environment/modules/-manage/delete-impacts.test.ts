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
const fetched = (token: string, owner: string, version: string, time = '2026-11-01') => ({
  token_id: `${token} ${owner}`,
  token,
  owner,
  version,
  downloads: 1,
  last_fetched_time: time,
  behind: 0,
});
const texts = (...given: Parameters<typeof deleteImpacts>): readonly string[] =>
  deleteImpacts(...given).map(({ kind, text }) => `${kind}: ${text as string}`);

test('names tokens that downloaded the version last, and the next latest version', () => {
  const found = texts(module, '1.2.0', [
    fetched('CI runner', 'olga', '1.2.0', '2026-11-02'),
    fetched('CI runner', 'olga', '1.0.0'),
    fetched('', 'ada', '1.2.0'),
    fetched('Laptop', 'rene', '1.0.0'),
  ]);
  expect(found.filter((text) => text.startsWith('breaks'))).toEqual([
    "breaks: The latest download by CI runner of olga is this version, which it can't download again.",
    "breaks: The latest download by a token without a description of ada is this version, which it can't download again.",
    'breaks: This is the latest version. 1.0.0 takes its place.',
  ]);
  expect(found.join()).not.toContain('Laptop');
  expect(found.join()).not.toContain('earlier');
});

test("doesn't report a break for tokens that downloaded another version since", () => {
  const found = texts(module, '1.0.0', [
    fetched('CI runner', 'olga', '1.2.0', '2026-11-02'),
    fetched('CI runner', 'olga', '1.0.0'),
  ]);
  expect(found.filter((text) => text.startsWith('breaks'))).toEqual([]);
  expect(found).toContain(
    'worth-knowing: 1 token downloaded this version earlier and another version since.',
  );
});

test('counts further tokens, and says if the registry reports none', () => {
  const many = Array.from({ length: 12 }, (_, at) => fetched(`t${at}`, 'ada', '1.0.0'));
  expect(texts(module, '1.0.0', many)).toContain("breaks: 4 more tokens can't download it again either.");
  expect(texts(module, '1.0.0', null).join()).toContain("doesn't report who downloads this version");
  expect(texts(module, '1.0.0', []).join()).toContain("This version isn't the latest download of any token");
  const [only] = [{ ...module, versions: versions.slice(1, 2) }];
  expect(texts(only, '1.2.0', []).join()).toContain('no other version can take its place');
});
