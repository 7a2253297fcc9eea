import { record, scalar } from '@gatehouse/record-merge/policy';
import type { Decision } from '@gatehouse/record-merge/resolve';
import { ToastRegion, toasts } from '@gatehouse/ui/toast';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { watchFocus } from '#lib/focus.ts';
import { conflictReducer } from './conflict-state.ts';
import { ConflictView } from './ConflictView.tsx';

afterEach(() => {
  toasts.clear();
  cleanup();
});

function inConflict() {
  const state = conflictReducer(
    { kind: 'none' },
    {
      type: 'changed',
      policy: record({ name: scalar }),
      saved: { name: 'web' },
      values: { name: 'web-1' },
      theirs: { name: 'web-2' },
      author: { changedBy: 'Ada', changedAt: null },
    },
  );
  if (state.kind !== 'changed') throw new Error('The edits do not conflict.');
  return state;
}

/** Saves a form, possibly edits it further, and refuses the save because someone else changed the record. */
function save({ editsOn }: { editsOn: boolean }): void {
  const state = inConflict();
  const page = (isRefused: boolean) => (
    <>
      <ToastRegion />
      {isRefused && (
        <ConflictView
          state={state}
          words={{ noun: 'target', labelOf: () => 'Name', show: (_, value) => String(value) }}
          onDecide={() => undefined}
          valueOf={() => undefined}
          renderEditor={() => undefined}
          stoppedSaves={0}
        />
      )}
      <input aria-label="Description" />
    </>
  );
  const { rerender } = render(page(false));
  const description = screen.getByRole('textbox');
  description.focus();
  watchFocus();
  if (editsOn) fireEvent.input(description, { target: { value: 'Of the shop' } });
  rerender(page(true));
}

test('a conflict receives the focus', () => {
  save({ editsOn: false });
  expect(document.activeElement).toBe(screen.getByRole('group', { name: '1 field has conflicting changes' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('a conflict leaves the focus in a field that is being edited, and a notification reports it', async () => {
  save({ editsOn: true });
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('1 field has conflicting changes');
});

test.each([
  ['their value', 'web-2', 'web-1'],
  ['a value typed since', 'web-typed', 'web-typed'],
])('Edit starts from your value if the form shows %s', (_, shown, value) => {
  const onDecide = vi.fn<(id: string, decision: Decision) => void>();
  render(
    <ConflictView
      state={inConflict()}
      words={{ noun: 'target', labelOf: () => 'Name', show: (_path, text) => String(text) }}
      onDecide={onDecide}
      valueOf={() => shown}
      renderEditor={() => <input />}
      stoppedSaves={0}
    />,
  );
  fireEvent.click(screen.getByRole('radio', { name: /^Edit/ }));
  expect(onDecide).toHaveBeenCalledWith('/name', { choice: 'edited', value });
});
