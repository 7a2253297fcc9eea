import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { useGuarded } from './use-guarded.ts';

afterEach(cleanup);

interface Seen {
  readonly revision: string;
}

const refusal = (reason: 'modified' | 'deleted', currentRevision: string | null): ApiError =>
  new ApiError('conflict', {
    type: 'about:blank',
    code: 'conflict',
    title: 'Conflict',
    status: 409,
    detail: '',
    requestId: 'r1',
    conflict: {
      resource: { environment: 'local', service: 'access', kind: 'target', id: 't1' },
      reason,
      expectedRevision: '1',
      currentRevision,
      current: null,
      base: null,
      changedBy: null,
      changedAt: null,
    },
  });

/** An action that fails with each of the errors in turn, then succeeds. */
function guarded(errors: readonly Error[], onGone?: () => void) {
  const sent: string[] = [];
  const done: string[] = [];
  const waiting = [...errors];
  const view = renderHook(
    ({ item }: { item: Seen }) =>
      useGuarded<Seen, string>({
        item,
        act: ({ revision }) => {
          sent.push(revision);
          const error = waiting.shift();
          return error === undefined ? Promise.resolve('done') : Promise.reject(error);
        },
        newerOf: ({ currentRevision }) =>
          currentRevision === null ? undefined : { revision: currentRevision },
        onDone: (result, { revision }) => {
          done.push(`${result} ${revision}`);
        },
        ...(onGone && { onGone }),
      }),
    { initialProps: { item: { revision: '1' } } },
  );
  const run = async (): Promise<void> => {
    await act(async () => {
      view.result.current.run();
      await Promise.resolve();
    });
    await waitFor(() => {
      expect(view.result.current.isPending).toBe(false);
    });
  };
  return { ...view, sent, done, run };
}

test('the action uses the record that the user saw, even if the page has read a newer one', async () => {
  const { rerender, run, sent, done } = guarded([]);
  rerender({ item: { revision: '2' } });
  await run();
  expect(sent).toEqual(['1']);
  expect(done).toEqual(['done 1']);
});

test("a conflict's record is shown first, and the next attempt is based on it", async () => {
  const { run, result, sent, done } = guarded([refusal('modified', '4')]);
  await run();
  expect(result.current).toMatchObject({ newer: { revision: '4' }, seen: { revision: '1' } });
  expect(done).toEqual([]);
  await run();
  expect(sent).toEqual(['1', '4']);
  expect(done).toEqual(['done 4']);
});

test('a deletion is distinguished from a failure', async () => {
  let gone = 0;
  const { run, result } = guarded(
    [new ApiError('forbidden'), refusal('deleted', null), new ApiError('not-found')],
    () => {
      gone += 1;
    },
  );
  await run();
  expect(gone).toBe(0);
  expect(result.current.error).toBeInstanceOf(ApiError);
  await run();
  await run();
  expect(gone).toBe(2);
  expect(result.current.newer).toBeUndefined();
});
