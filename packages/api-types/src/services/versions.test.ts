import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, newestFirst } from '../console/box-values.ts';
import { compareModuleVersions, newestModuleFirst } from '../console/module-values.ts';
import { box } from './box-registry.ts';
import { versionChoices } from './module-registry.ts';

const numbered = fc.array(
  fc
    .stringMatching(/^v?[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}(?:-(?:rc|beta)?\.?[0-9]?)?$/)
    .map((version) => ({ version })),
);

test('versions sorted with each number read once are in the order of the comparison', () => {
  fc.assert(
    fc.property(numbered, (items) => {
      expect(newestFirst(items)).toEqual(items.toSorted((a, b) => compareVersions(b.version, a.version)));
      expect(newestModuleFirst(items)).toEqual(
        items.toSorted((a, b) => compareModuleVersions(b.version, a.version)),
      );
    }),
  );
});

test('more than 20,000 versions, and numbers of more than 1,024 characters, are refused', () => {
  const modules = (versions: object[]) => versionChoices.safeParse({ modules: [{ versions }] }).success;
  const boxes = (versions: object[]) =>
    box.safeParse({ username: 'a', name: 'b', current_version: null, versions }).success;
  const many = (count: number) => Array.from({ length: count }, () => ({ version: '1', status: 'active' }));
  for (const accepts of [modules, boxes]) {
    expect([accepts(many(20_000)), accepts(many(20_001))]).toEqual([true, false]);
    expect(accepts([{ version: '1'.repeat(1_025), status: 'active' }])).toBe(false);
  }
});
