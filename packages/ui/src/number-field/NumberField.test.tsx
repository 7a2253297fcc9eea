import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { NumberField } from './NumberField.tsx';

afterEach(cleanup);

function Port({ seen, initial = null }: { seen: (number | null)[]; initial?: number | null }) {
  const [port, setPort] = useState<number | null>(initial);
  return (
    <NumberField
      label="Port"
      value={port}
      min={1}
      max={65_535}
      onChange={(next) => {
        seen.push(next);
        setPort(next);
      }}
    />
  );
}

test('reports every keystroke without waiting for blur', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} />);
  await user.type(screen.getByRole('textbox', { name: 'Port' }), '5x4-3');
  expect(seen).toEqual([5, 54, 543]);
});

test('reports null when emptied, not zero', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} initial={7} />);
  await user.clear(screen.getByRole('textbox', { name: 'Port' }));
  expect(seen).toEqual([null]);
});

test('accepts separators in pasted numbers, and leaves limits to the schema', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} />);
  await user.click(screen.getByRole('textbox', { name: 'Port' }));
  await user.paste('99,200');
  expect(seen).toEqual([99_200]);
});

test('steps within the limits with the arrow keys', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} initial={5} />);
  await user.click(screen.getByRole('textbox', { name: 'Port' }));
  await user.keyboard('{ArrowUp}{Shift>}{ArrowUp}{/Shift}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{ArrowDown}');
  expect(seen).toEqual([6, 16, 6, 1]);
});

test('replaces the typed text with a value set from outside', async () => {
  const user = userEvent.setup();
  const { rerender } = render(<NumberField label="Port" value={22} onChange={() => undefined} />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Port' });
  await user.type(field, '9');
  rerender(<NumberField label="Port" value={80} onChange={() => undefined} />);
  expect(field.value).toBe('80');
});
