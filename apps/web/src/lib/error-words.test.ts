import { problemCodes, problemStatus, type Problem } from '@gatehouse/api-types/console/problem';
import { describe, expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { failureTitle, wordsOf } from './error-words.ts';

const problem: Problem = {
  type: 'urn:x',
  title: 'x',
  status: 503,
  detail: 'It refused the connection.',
  code: 'service-unavailable',
  requestId: 'r1',
  service: 'secrets',
};

describe('wordsOf', () => {
  test.each([...problemCodes, 'offline', 'unreachable', 'unreadable'] as const)(
    'describes %s, and says what to do',
    (code) => {
      const words = wordsOf(new ApiError(code));
      expect(words.title).toMatch(/^[A-Z][^.]+$/);
      expect(words.detail).toMatch(/\.$/);
      expect(words.canRetry || words.mend !== undefined).toBe(true);
    },
  );

  test('names the service, and uses the reason that the server sent', () => {
    expect(wordsOf(new ApiError('service-unavailable', problem))).toEqual({
      title: 'Secrets server unreachable',
      detail: 'It refused the connection.',
      requestId: 'r1',
      canRetry: true,
    });
  });

  test.each([
    ['service-unavailable', 'Service unreachable'],
    ['service-timeout', "Service didn't respond in time"],
    ['not-connected', 'Not connected to the service'],
  ] as const)('%s without a service name is a correct sentence', (code, title) => {
    expect(wordsOf(new ApiError(code)).title).toBe(title);
  });

  test.each([
    ['modified', 'Changed since you opened it'],
    ['created', 'Already exists'],
    [undefined, 'Conflict'],
  ] as const)('a conflict with the reason "%s" has the title "%s"', (reason, title) => {
    const conflict = {
      resource: { environment: 'local', service: 'secrets', kind: 'secret', id: 'a' },
      expectedRevision: null,
      currentRevision: null,
      current: null,
      base: null,
      changedBy: null,
      changedAt: null,
    } as const;
    const told = { ...problem, ...(reason !== undefined && { conflict: { ...conflict, reason } }) };
    expect(wordsOf(new ApiError('conflict', told)).title).toBe(title);
  });

  test('every code has an error status', () => {
    for (const code of problemCodes) expect(problemStatus[code]).toBeGreaterThanOrEqual(400);
  });

  test('errors other than answers are faults of the page', () => {
    expect(wordsOf(new TypeError('x is not a function'))).toMatchObject({
      title: 'Unexpected error on this page',
      detail: 'x is not a function',
    });
    expect(wordsOf('odd').detail).toBe('An unexpected error.');
  });
});

test('a change whose answer was lost is not reported as failed', () => {
  for (const code of ['outcome-unknown', 'unreachable', 'offline', 'unreadable', 'internal'] as const)
    expect(failureTitle(new ApiError(code), "Couldn't undo")).toBe('Outcome unknown');
  expect(failureTitle(new ApiError('forbidden'), "Couldn't undo")).toBe("Couldn't undo");
  expect(failureTitle(new ApiError('conflict'))).toBe('Request failed');
});
