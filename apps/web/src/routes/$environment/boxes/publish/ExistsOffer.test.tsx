import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ExistsOffer } from './ExistsOffer.tsx';

afterEach(cleanup);

const description = { id: 'description', label: 'Description', before: 'Breaks X' };

function offer(changes: Parameters<typeof ExistsOffer>[0]['changes'], changed = false) {
  const onChoose = vi.fn<Parameters<typeof ExistsOffer>[0]['onChoose']>();
  render(
    <ExistsOffer
      what="Version 1.0.0"
      stored={{ revision: 'h1', changed }}
      changes={changes}
      updateLabel="Use this description"
      detail="Continue with it."
      isPending={false}
      onChoose={onChoose}
    />,
  );
  return onChoose;
}

test('replaces an existing record by the revision that was shown', async () => {
  const onChoose = offer([{ ...description, kind: 'removed' }], true);
  expect(screen.getByText('Version 1.0.0 has changed since you saw it')).toBeTruthy();
  const table = screen.getByRole('table', { name: 'Existing and yours' });
  expect(table.textContent).toContain('Removed');
  expect(table.textContent).toContain('Breaks X');
  fireEvent.click(screen.getByRole('button', { name: 'Use this description' }));
  await waitFor(() => {
    expect(onChoose.mock.calls).toEqual([[{ existing: 'update', revision: 'h1' }]]);
  });
});

test('an existing record with the same values can only be used unchanged', () => {
  const onChoose = offer([]);
  expect(screen.getByText('It already has the values you entered.')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  fireEvent.click(screen.getByRole('button'));
  expect(onChoose.mock.calls).toEqual([[{ existing: 'use' }]]);
});
