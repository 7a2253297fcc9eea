import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { keyOfPair, type Pairs } from './pair-rows.ts';
import { PairsField } from './PairsField.tsx';

afterEach(cleanup);

let latest: Pairs = {};

function Form({ start, other = {} }: { start: Pairs; other?: Pairs }) {
  const [value, setValue] = useState(start);
  useEffect(() => {
    latest = value;
  }, [value]);
  return (
    <>
      <PairsField label="Custom metadata" value={value} onChange={setValue} limit={3} />
      <button
        onClick={() => {
          setValue(other);
        }}
      >
        From elsewhere
      </button>
    </>
  );
}

test('adds, edits and removes pairs', async () => {
  const user = userEvent.setup();
  render(<Form start={{ owner: 'ana' }} />);
  await user.click(screen.getByRole('button', { name: 'Add a key' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Key 2' }));
  await user.keyboard('team.name');
  await user.type(screen.getByRole('textbox', { name: 'Value of team.name' }), 'payments');
  expect(latest).toEqual({ owner: 'ana', 'team.name': 'payments' });
  await user.click(screen.getByRole('button', { name: 'Remove owner' }));
  expect(latest).toEqual({ 'team.name': 'payments' });
});

test('marks a duplicate key and keeps both pairs', async () => {
  const user = userEvent.setup();
  render(<Form start={{ a: '1', b: '2' }} />);
  const second = screen.getByRole('textbox', { name: 'Key 2' });
  await user.clear(second);
  await user.type(second, 'a');
  expect(screen.getByText('This key already exists.')).toBeTruthy();
  expect(Object.entries(latest).map(([key, value]) => ({ ...keyOfPair(key), value }))).toEqual([
    { key: 'a', isRepeated: false, value: '1' },
    { key: 'a', isRepeated: true, value: '2' },
  ]);
  await user.type(second, 'b');
  expect(latest).toEqual({ a: '1', ab: '2' });
});

test('ignores an empty row and shows a value set from outside', async () => {
  const user = userEvent.setup();
  render(<Form start={{ a: '1' }} other={{ z: '9' }} />);
  await user.click(screen.getByRole('button', { name: 'Add a key' }));
  expect(latest).toEqual({ a: '1' });
  await user.click(screen.getByRole('button', { name: 'From elsewhere' }));
  expect(
    screen.getAllByRole('textbox').map((input) => (input instanceof HTMLInputElement ? input.value : '')),
  ).toEqual(['z', '9']);
});

test('refuses more pairs at the limit and says why', async () => {
  render(<Form start={{ a: '1', b: '2', c: '3' }} />);
  const add = screen.getByRole('button', { name: 'Add a key' });
  expect(add.getAttribute('aria-disabled')).toBe('true');
  await userEvent.setup().click(add);
  expect(screen.getAllByRole('textbox')).toHaveLength(6);
});
