import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { OptionItem } from '../list-box/Option.tsx';
import { ComboBox } from './ComboBox.tsx';

afterEach(cleanup);

const hosts: readonly OptionItem[] = [
  { id: 'h1', label: 'db-1' },
  { id: 'h2', label: 'db-2' },
  { id: 'h3', label: 'web-1' },
];

function Host({ asked, answer }: { asked: string[]; answer?: (text: string) => readonly OptionItem[] }) {
  const [value, setValue] = useState<string | null>(null);
  const [options, setOptions] = useState(answer === undefined ? hosts : answer(''));
  return (
    <>
      <ComboBox
        label="Host"
        options={options}
        value={value}
        onChange={setValue}
        onSearch={
          answer === undefined
            ? undefined
            : (text) => {
                asked.push(text);
                setOptions(answer(text));
              }
        }
      />
      <output>{value ?? 'none'}</output>
    </>
  );
}

test('narrows options while typing, and selects with the arrow keys and Enter', async () => {
  const user = userEvent.setup();
  render(<Host asked={[]} />);
  await user.type(screen.getByRole('combobox', { name: 'Host' }), 'db');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['db-1', 'db-2']);
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(screen.getByRole('status', { name: '' }).textContent).toBe('h2');
});

test("fills the list with the server's answer without changing the text", async () => {
  const user = userEvent.setup();
  const asked: string[] = [];
  // The server may find options whose label doesn't contain the text.
  render(
    <Host
      asked={asked}
      answer={(text) => (text === 'we' ? [{ id: 'h3', label: 'found by address' }] : hosts)}
    />,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Host' });
  await user.type(field, 'we');
  expect(asked).toContain('we');
  expect(field.value).toBe('we');
  await user.click(screen.getByRole('option', { name: 'found by address' }));
  expect(screen.getByRole('status', { name: '' }).textContent).toBe('h3');
});

test('stays closed when Tab passes it, and opens on click', async () => {
  const user = userEvent.setup();
  render(<Host asked={[]} />);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Host' }));
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.click(screen.getByRole('combobox', { name: 'Host' }));
  expect(screen.getAllByRole('option')).toHaveLength(3);
});
