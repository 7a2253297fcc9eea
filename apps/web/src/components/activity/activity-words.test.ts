import { activityActions } from '@gatehouse/api-types/console/addresses/actions';
import { expect, test } from 'vitest';
import { actionWords, fieldWords, outcomeOf } from './activity-words.ts';

test('every action of the contract has readable words', () => {
  for (const action of activityActions) expect(actionWords(action)).toMatch(/^[A-Z][a-z ]+: [a-z ]+$/);
  expect(actionWords('target.change-host-sources')).toBe('Target: change host sources');
});

test('locking a person out and letting them in again are said so, with the sessions that ended', () => {
  const words = (...paths: string[]) => [
    actionWords('person.update', paths),
    fieldWords({ action: 'person.update', paths }),
  ];
  expect(words('disabled=true', 'ended-sessions=2')).toEqual(['Person: lock out', 'ended sessions: 2']);
  expect(words('disabled=false', 'email')).toEqual(['Person: let in again', 'email']);
  expect(words('disabled')).toEqual(['Person: update', 'disabled']);
});

test('a refused action shows the reason', () => {
  const words = (problem: string | null) => outcomeOf({ outcome: 'refused', problem }).word;
  expect([words('conflict'), words('forbidden'), words('internal'), words(null)]).toEqual([
    'Conflict',
    'Not allowed',
    'Refused',
    'Refused',
  ]);
  expect(outcomeOf({ outcome: 'failed', problem: 'forbidden' }).word).toBe('Failed');
});

test('fields are named in words, except those that users named', () => {
  const words = (action: string, ...paths: string[]) => fieldWords({ action, paths });
  expect(words('target.update', 'part-of=target.update-many', 'attributes.default_port')).toBe(
    'part of “Target: update many”, default port',
  );
  expect(words('publish-run.create', 'box.create.is_private')).toBe('box create is private');
  expect(words('secret.update', 'as=olga', 'added=data.a_b', 'removed=data.c')).toBe(
    'as: olga, added data.a_b, removed data.c',
  );
  expect(words('secret.update', 'data.a_b')).toBe('written data.a_b');
  expect(words('secret.update', 'unchanged=data')).toBe('unchanged data');
  expect(words('module-version.restore', 'unchanged=record')).toBe('unchanged record');
  expect(words('secret.reveal', 'data.a_b')).toBe('data.a_b');
  expect(words('secret-metadata.update', 'custom_metadata.a_b')).toBe('custom_metadata.a_b');
  expect(words('activity.export', 'resource_id=x')).toBe('resource_id=x');
});
