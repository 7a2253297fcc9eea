import { expect, test } from 'vitest';
import { either, off, on, oneOf, order, recordId, searchOf, unless, whole, words } from './search.ts';

const search = searchOf({
  q: words,
  sort: order,
  mine: on,
  deep: off,
  state: oneOf('open', 'closed'),
  page: whole(2, 9),
  scope: unless('global', recordId),
  why: either(on, recordId),
});

test('valid values are read, from any JSON type that the router parsed', () => {
  expect(
    search.parse({
      q: 42,
      sort: '-name',
      mine: true,
      deep: 'false',
      state: 'open',
      page: '3',
      scope: 'p_1',
      why: 'ttcp_1',
    }),
  ).toEqual({
    q: '42',
    sort: '-name',
    mine: true,
    deep: false,
    state: 'open',
    page: 3,
    scope: 'p_1',
    why: 'ttcp_1',
  });
  expect(search.parse({ why: true })).toEqual({ why: true });
});

test('values that are not understood, not declared, or the default are left out', () => {
  expect(
    search.parse({
      q: '',
      sort: 'a b',
      mine: false,
      deep: true,
      state: 'ajar',
      page: 1,
      scope: 'global',
      why: '<b>',
      other: 'x',
    }),
  ).toEqual({});
  expect(search.parse({ q: null, sort: ['name'], mine: {}, page: 2.5, scope: '../x' })).toEqual({});
});

test('one parameter can set another', () => {
  const settled = searchOf({ state: oneOf('ended'), ended: on }, (values) =>
    values.state === 'ended' ? { ...values, ended: true as const } : values,
  );
  expect(settled.parse({ state: 'ended' })).toEqual({ state: 'ended', ended: true });
  expect(settled.parse({})).toEqual({});
});
