import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SaveBar } from './SaveBar.tsx';

afterEach(cleanup);

test('counts and lists the changes, and discards a single one', async () => {
  const user = userEvent.setup();
  const onUndo = vi.fn<(id: string) => void>();
  render(
    <SaveBar
      changes={[
        { id: 'name', label: 'Name', kind: 'changed', before: 'db', after: 'db-primary' },
        { id: 'port', label: 'Port', kind: 'added', after: '5432' },
      ]}
      onUndo={onUndo}
      onDiscard={() => undefined}
      onSave={() => undefined}
    />,
  );
  expect(screen.getByText('2 changes')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Review' }));
  const name = screen.getByRole('row', { name: /Name/ });
  expect(within(name).getByText('db').tagName).toBe('DEL');
  expect(within(name).getByText('db-primary').tagName).toBe('INS');
  expect(within(name).getByText('Changed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo Name' }));
  expect(onUndo).toHaveBeenCalledExactlyOnceWith('name');
});

test('can save without a change, and disables all buttons while saving', async () => {
  const user = userEvent.setup();
  const onSave = vi.fn<() => void>();
  const onDiscard = vi.fn<() => void>();
  const bar = (isSaving: boolean, unsaved = 0) => (
    <SaveBar
      changes={[]}
      unsaved={unsaved}
      onUndo={() => undefined}
      onDiscard={onDiscard}
      onSave={onSave}
      isSaving={isSaving}
    />
  );
  const { rerender } = render(bar(false));
  expect(screen.getByText('No changes')).toBeTruthy();
  rerender(bar(false, 2));
  expect(screen.getByText('2 changes')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Discard' })).toBeTruthy();
  rerender(bar(false));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(onSave).toHaveBeenCalledOnce();
  rerender(bar(true));
  await user.click(screen.getByRole('button', { name: /Save/ }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onSave).toHaveBeenCalledOnce();
  expect(onDiscard).not.toHaveBeenCalled();
});
