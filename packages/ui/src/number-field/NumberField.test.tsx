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

test('every keystroke counts: nothing waits for blur', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} />);
  await user.type(screen.getByRole('textbox', { name: 'Port' }), '5x4-3');
  expect(seen).toEqual([5, 54, 543]);
});

test('emptied is null, not zero', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} initial={7} />);
  await user.clear(screen.getByRole('textbox', { name: 'Port' }));
  expect(seen).toEqual([null]);
});

test('a pasted number may carry separators, and what is out of bounds is left to the schema', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} />);
  await user.click(screen.getByRole('textbox', { name: 'Port' }));
  await user.paste('99,200');
  expect(seen).toEqual([99_200]);
});

test('arrow keys step within the bounds', async () => {
  const user = userEvent.setup();
  const seen: (number | null)[] = [];
  render(<Port seen={seen} initial={5} />);
  await user.click(screen.getByRole('textbox', { name: 'Port' }));
  await user.keyboard('{ArrowUp}{Shift>}{ArrowUp}{/Shift}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{ArrowDown}');
  expect(seen).toEqual([6, 16, 6, 1]);
});

test('a value set from outside replaces what was typed', async () => {
  const user = userEvent.setup();
  const { rerender } = render(<NumberField label="Port" value={22} onChange={() => undefined} />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Port' });
  await user.type(field, '9');
  rerender(<NumberField label="Port" value={80} onChange={() => undefined} />);
  expect(field.value).toBe('80');
});
