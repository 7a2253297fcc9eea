import { expect, test } from 'vitest';
import { nowhere, reasonAgainstAuthorizing, reasonAgainstAuthorizingAny, workersNote } from './may.ts';

test('no session is offered on a target without a destination, and the missing right is said first', () => {
  const set = { id: 'hsst_1', name: '', description: '', host_catalog_id: 'hcst_1', type: 'static' };
  const target = { authorized_actions: ['authorize-session'], address: '', host_sources: [] };
  expect(reasonAgainstAuthorizing(target)).toBe(nowhere);
  expect(reasonAgainstAuthorizing({ ...target, address: '10.0.0.1' })).toBeUndefined();
  expect(reasonAgainstAuthorizing({ ...target, host_sources: [set] })).toBeUndefined();
  expect(reasonAgainstAuthorizing({ ...target, authorized_actions: [] })).toMatch(/^Your role/);
});

test('a target of a controller without workers says that nothing carries its sessions', () => {
  for (const hasFilter of [false, true]) expect(workersNote(hasFilter, true)).toMatch(/has no worker/);
  expect(workersNote(false, false)).toMatch(/any worker that is up/);
  expect(workersNote(true, false)).toBeUndefined();
});

test('sessions by name are refused if no listed target allows one, but not if targets are hidden', () => {
  const readable = { authorized_actions: ['read'] };
  expect(reasonAgainstAuthorizingAny([readable, readable])).toMatch(/^Your role/);
  expect(
    reasonAgainstAuthorizingAny([readable, { authorized_actions: ['authorize-session'] }]),
  ).toBeUndefined();
  expect(reasonAgainstAuthorizingAny([])).toBeUndefined();
});
