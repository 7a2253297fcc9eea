import type { Scope } from '@gatehouse/api-types/console/scopes';
import type { Target } from '@gatehouse/api-types/console/targets';
import { describe, expect, test } from 'vitest';
import type { TargetsSearch } from '../targets-search.ts';
import { reasonsFor } from './reasons.ts';

const target = {
  id: 'ttcp_1',
  revision: '3',
  scope_id: 'p_1',
  scope: { id: 'p_1', type: 'project', name: 'payments', description: '', parent_scope_id: 'o_1' },
  type: 'tcp',
  name: 'db',
  description: '',
  address: '10.0.0.1',
} as Target;
const scopes: readonly Scope[] = [
  {
    id: 'o_1',
    type: 'org',
    name: 'Acme',
    description: '',
    parent_scope_id: 'global',
    authorized_actions: [],
    authorized_collection_actions: {},
  },
];
const held = (search: TargetsSearch) =>
  Object.fromEntries(reasonsFor(target, search, scopes).map(({ id, holds }) => [id, holds]));

describe('the scope', () => {
  test.each<[TargetsSearch, boolean]>([
    [{}, true],
    [{ scope: 'p_1', recursive: false }, true],
    [{ scope: 'p_1' }, true],
    [{ scope: 'o_1' }, true],
    [{ scope: 'o_1', recursive: false }, false],
    [{ recursive: false }, false],
    [{ scope: 'o_2' }, false],
    [{ scope: 'p_2' }, false],
  ])('%j contains the target: %s', (search, holds) => {
    expect(held(search)).toEqual({ scope: holds });
  });

  test('is shown by name', () => {
    const [reason] = reasonsFor(target, { scope: 'o_1' }, scopes);
    expect(reason?.detail).toBe('The list shows Acme and everything below it. The target is in payments.');
  });
});

test('a filter sees the version as a number, as in the controller', () => {
  expect(held({ filter: '"/item/version" == 3' })).toMatchObject({ filter: true });
  expect(held({ filter: '"/item/revision" == 3' })).toMatchObject({ filter: false });
});

test("reports a filter that doesn't apply, and one that can't be parsed", () => {
  const detailOf = (filter: string) =>
    reasonsFor(target, { filter }, scopes).find(({ id }) => id === 'filter');
  expect(detailOf('"/item/version" matches "3"')).toMatchObject({
    holds: false,
    detail: "A clause doesn't apply to this target, so the expression doesn't match.",
  });
  expect(detailOf('"/item/name" =')).toMatchObject({ holds: false });
  expect(detailOf('"/item/name" =')?.detail).toContain('Invalid: at character 14');
});

test('a filter whose explanation is too long still reports whether it matches', () => {
  const many = {
    ...target,
    aliases: Array.from({ length: 200 }, (_, index) => ({ value: `alias-${String(index)}` })),
  };
  const all = 'all "/item/aliases" as a { all "/item/aliases" as b { "/item/name" == db } }';
  expect(reasonsFor(many as Target, { filter: all }, scopes).find(({ id }) => id === 'filter')).toMatchObject(
    {
      holds: true,
      detail: 'The explanation is too long to show.',
    },
  );
});

test('search words match as in the list', () => {
  expect(held({ q: '10.0' })).toMatchObject({ words: true });
  expect(held({ q: 'payments' })).toMatchObject({ words: false });
});
