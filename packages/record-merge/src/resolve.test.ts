import { expect, test } from 'vitest';
import { absent } from './absent.ts';
import { merge } from './merge.ts';
import { list, map, record, scalar } from './policy.ts';
import type { Decision } from './resolve.ts';
import { carryDecisions, resolve } from './resolve.ts';

const policy = record(
  {
    name: scalar,
    type: scalar,
    port: scalar,
    labels: map(scalar),
    rules: list('id', record({ action: scalar })),
  },
  { groups: [{ name: 'kind', fields: ['type', 'port'] }] },
);

const base = { name: 'a', type: 'tcp', port: 1, labels: { x: 1 }, rules: [{ id: 'r', action: 'allow' }] };
const mine = { name: 'b', type: 'ssh', labels: { x: 2 }, rules: [{ id: 'r', action: 'deny' }] };
const theirs = { name: 'c', type: 'tcp', port: 2, labels: {}, rules: [{ id: 'q', action: 'log' }] };
const result = merge<object>(policy, base, mine, theirs);

const decided = (decisions: Record<string, Decision>) => resolve(result, new Map(Object.entries(decisions)));

test('keeps theirs for undecided conflicts and returns them', () => {
  const { record: kept, undecided } = decided({ '/name': { choice: 'mine' } });
  expect(kept).toEqual({ ...theirs, name: 'b' });
  expect(undecided.map(({ id }) => id)).toEqual(['~{kind}', '/labels/x', '/rules/r']);
});

test("restores mine's values that theirs deleted, and deletes those that mine lacks", () => {
  const { record: kept, undecided } = decided({
    '/name': { choice: 'current' },
    '~{kind}': { choice: 'mine' },
    '/labels/x': { choice: 'mine' },
    '/rules/r': { choice: 'mine' },
  });
  const rules = [
    { id: 'q', action: 'log' },
    { id: 'r', action: 'deny' },
  ];
  expect(kept).toEqual({ name: 'c', type: 'ssh', labels: { x: 2 }, rules });
  expect(kept).not.toHaveProperty('port');
  expect(undecided).toEqual([]);
});

test('accepts any edited value, including absent', () => {
  const { record: kept } = decided({
    '/name': { choice: 'edited', value: absent },
    '~{kind}': { choice: 'edited', value: { type: 'rdp', port: 3 } },
    '/labels/x': { choice: 'edited', value: 2n ** 60n },
  });
  expect(kept).toEqual({ type: 'rdp', port: 3, labels: { x: 2n ** 60n }, rules: theirs.rules });
  expect(kept).not.toHaveProperty('name');
  expect(() => decided({ '~{kind}': { choice: 'edited', value: 'ssh' } })).toThrow(
    'The decision for the group ~{kind} must be an object with its fields.',
  );
});

test('inserts decided values without a prototype', () => {
  const { record: kept } = decided({ '/rules/r': { choice: 'mine' } });
  const rules = 'rules' in kept && Array.isArray(kept.rules) ? kept.rules : [];
  expect(rules.map((rule: unknown) => Object.getPrototypeOf(rule))).toEqual([null, null]);
});

test('does not change the merge result or its inputs', () => {
  const before = JSON.stringify([result.merged, base, mine, theirs]);
  decided({ '/labels/x': { choice: 'mine' }, '/rules/r': { choice: 'mine' }, '~{kind}': { choice: 'mine' } });
  expect(JSON.stringify([result.merged, base, mine, theirs])).toBe(before);
});

test('discards decisions only for conflicts that a third edit changed', () => {
  const decisions = new Map<string, Decision>([
    ['/name', { choice: 'mine' }],
    ['~{kind}', { choice: 'current' }],
    ['/labels/x', { choice: 'mine' }],
    ['/rules/r', { choice: 'mine' }],
  ]);
  const third = { ...theirs, port: 3, rules: [{ id: 'r', action: 'allow' }] };
  const next = merge<object>(policy, base, mine, third);
  expect([...carryDecisions(result, next, decisions).keys()]).toEqual(['/name', '/labels/x']);
});
