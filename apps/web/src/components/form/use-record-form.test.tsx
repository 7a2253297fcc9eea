import { record, scalar } from '@gatehouse/record-merge/policy';
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '#lib/api-error.ts';
import { mayMoveFocus, watchFocus } from '#lib/focus.ts';
import { useRecordForm } from './use-record-form.ts';

afterEach(cleanup);

interface Root {
  key: string;
  region: string;
}

interface Told {
  readonly record: Root;
  readonly revision: string;
  readonly own?: Partial<Root>;
}

const rootForm = {
  noun: 'root credentials',
  schema: z.strictObject({ key: z.string(), region: z.string() }),
  policy: record({ key: scalar, region: scalar }),
  sections: [],
};

/** A form whose record is read again after the user has rotated its key. */
function rotated(now: Root) {
  const stored = { record: { key: 'before', region: 'eu' }, revision: '1' };
  const told: Told = stored;
  const author = { changedBy: null, changedAt: null };
  const view = renderHook(
    ({ record: latest, revision, own }: Told) =>
      useRecordForm<Root>({
        spec: rootForm,
        stored,
        latest: { record: latest, revision, ...author },
        own,
        readRecord: () => stored.record,
        write: () => Promise.resolve(stored),
        onSaved: () => undefined,
      }),
    { initialProps: told },
  );
  act(() => {
    view.result.current.setField(['region'], 'us');
  });
  view.rerender({ record: now, revision: '2', own: { key: 'after' } });
  return view.result.current;
}

test("the user's own other changes are adopted, and the edit stays", () => {
  const form = rotated({ key: 'after', region: 'eu' });
  expect(form.isBehind).toBe(false);
  expect(form.conflict).toEqual({ kind: 'none' });
  expect(form.stored).toEqual({ record: { key: 'after', region: 'eu' }, revision: '2' });
  expect(form.values).toEqual({ key: 'after', region: 'us' });
});

test('a concurrent change by others is reported', () => {
  const form = rotated({ key: 'after', region: 'ap' });
  expect(form.isBehind).toBe(true);
  expect(form.values).toEqual({ key: 'before', region: 'us' });
});

test("the form's own save is never someone else's change, even if the page reads it before the answer", async () => {
  const author = { changedBy: null, changedAt: null };
  const before = { record: { key: 'before', region: 'eu' }, revision: '1' };
  const after = { record: { key: 'before', region: 'us' }, revision: '2' };
  const answer = Promise.withResolvers<typeof after>();
  const onSaved = vi.fn<() => void>();
  const { result, rerender } = renderHook(
    (latest: typeof after) =>
      useRecordForm<Root>({
        spec: rootForm,
        stored: before,
        latest: { ...latest, ...author },
        readRecord: () => before.record,
        write: () => answer.promise,
        onSaved,
      }),
    { initialProps: before },
  );
  act(() => {
    result.current.setField(['region'], 'us');
  });
  act(() => {
    result.current.save();
  });
  await waitFor(() => {
    expect(result.current.isSaving).toBe(true);
  });
  rerender(after);
  expect(result.current.isBehind).toBe(false);
  await act(async () => {
    answer.resolve(after);
    await answer.promise;
  });
  await waitFor(() => {
    expect(result.current.isSaving).toBe(false);
  });
  expect(onSaved).toHaveBeenCalledOnce();
  expect(result.current.isBehind).toBe(false);
  rerender({ ...after, revision: '3' });
  expect(result.current.isBehind).toBe(true);
});

test('a conflict with an unreadable record keeps the edit, and is not treated as a deletion', async () => {
  const unseen = new ApiError('conflict', {
    type: 'urn:gatehouse:problem:conflict',
    title: 'Changed since you opened it',
    status: 409,
    detail: "It was written after you opened it, and you can't read what is there now.",
    code: 'conflict',
    requestId: 'r',
    conflict: {
      resource: { environment: 'local', service: 'secrets', kind: 'secret', id: 'a' },
      reason: 'modified',
      expectedRevision: '1',
      currentRevision: null,
      current: null,
      base: null,
      changedBy: null,
      changedAt: null,
    },
  });
  const { result } = renderHook(() =>
    useRecordForm<Root>({
      spec: rootForm,
      stored: { record: { key: 'before', region: 'eu' }, revision: '1' },
      readRecord: () => {
        throw new Error('There is nothing to read.');
      },
      write: () => Promise.reject(unseen),
      onSaved: () => undefined,
    }),
  );
  act(() => {
    result.current.setField(['region'], 'us');
  });
  act(() => {
    result.current.save();
  });
  await waitFor(() => {
    expect(result.current.failure).toBe(unseen);
  });
  expect(result.current.conflict).toEqual({ kind: 'none' });
  expect(result.current.values).toEqual({ key: 'before', region: 'us' });
});

test('a field that the page refuses receives the focus, even after input since the last save', async () => {
  render(<input aria-label="Region" />);
  const stored = { record: { key: 'before', region: 'eu' }, revision: '1' };
  const { result } = renderHook(() =>
    useRecordForm<Root>({
      spec: { ...rootForm, schema: z.strictObject({ key: z.string(), region: z.literal('eu', 'eu only') }) },
      stored,
      readRecord: () => stored.record,
      write: () => Promise.resolve(stored),
      onSaved: () => undefined,
    }),
  );
  watchFocus();
  fireEvent.input(screen.getByRole('textbox'), { target: { value: 'us' } });
  act(() => {
    result.current.setField(['region'], 'us');
  });
  await act(async () => {
    result.current.save();
  });
  expect(mayMoveFocus()).toBe(true);
});
