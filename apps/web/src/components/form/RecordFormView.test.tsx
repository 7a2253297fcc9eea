import { record, scalar } from '@gatehouse/record-merge/policy';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { RecordFormView } from './RecordFormView.tsx';
import { useRecordForm } from './use-record-form.ts';

beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockReturnValue();
});
afterEach(cleanup);

interface Named {
  name: string;
}

const spec = {
  noun: 'name',
  schema: z.strictObject({ name: z.string() }),
  policy: record({ name: scalar }),
  sections: [],
};

function showRefused(failure: ApiError): void {
  const stored = { record: { name: 'before' }, revision: '1' };
  function Form() {
    const form = useRecordForm<Named>({
      spec,
      stored,
      readRecord: () => stored.record,
      reread: () => Promise.resolve({ ...stored, changedBy: null, changedAt: null }),
      write: () => Promise.reject(failure),
      onSaved: () => undefined,
    });
    return (
      <>
        <button
          onClick={() => {
            form.setField(['name'], 'mine');
          }}
        >
          Edit
        </button>
        <RecordFormView form={form} saveLabel="Save name" onCancel={() => undefined} />
      </>
    );
  }
  const routeTree = createRootRoute({ component: Form });
  render(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() })} />);
}

test.each([
  ['outcome-unknown', true],
  ['unreachable', true],
  ['internal', true],
  ['forbidden', false],
] as const)('after %s, comparing with the stored record is offered: %s', async (code, isOffered) => {
  const failure = new ApiError(code);
  showRefused(failure);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Save name' }));
  await screen.findByText(wordsOf(failure).title);
  expect(screen.queryByRole('button', { name: 'Compare with the stored record' }) !== null).toBe(isOffered);
});
