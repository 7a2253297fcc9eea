import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { ListField } from './ListField.tsx';

afterEach(cleanup);

let latest: readonly string[] = [];

function Form({ start }: { start: readonly string[] }) {
  const [value, setValue] = useState(start);
  useEffect(() => {
    latest = value;
  }, [value]);
  return (
    <>
      <ListField
        label="Groups"
        noun="group"
        value={value}
        onChange={setValue}
        errorAt={(index) => (value[index] === 'bad one' ? 'No spaces.' : undefined)}
      />
      <button
        onClick={() => {
          setValue(['other']);
        }}
      >
        From elsewhere
      </button>
    </>
  );
}

const texts = (): readonly string[] =>
  screen.getAllByRole('textbox').map((input) => (input instanceof HTMLInputElement ? input.value : ''));

test('edits entries, adds one with Enter, removes one, and ignores empty rows', async () => {
  const user = userEvent.setup();
  render(<Form start={[]} />);
  await user.click(screen.getByRole('textbox', { name: 'Groups 1' }));
  await user.keyboard('admins{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Groups 2' }));
  expect(latest).toEqual(['admins']);
  await user.keyboard('readers');
  expect(latest).toEqual(['admins', 'readers']);
  await user.click(screen.getByRole('button', { name: 'Remove Groups 1' }));
  expect(latest).toEqual(['readers']);
});

test("splits pasted lines into entries and shows an entry's error", async () => {
  const user = userEvent.setup();
  render(<Form start={['first']} />);
  await user.click(screen.getByRole('button', { name: 'Add a group' }));
  await user.paste('one\r\n  bad one \n\nthree\n');
  expect(latest).toEqual(['first', 'one', 'bad one', 'three']);
  expect(screen.getByRole('textbox', { name: 'Groups 3' }).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('textbox', { name: 'Groups 2' }).getAttribute('aria-invalid')).not.toBe('true');
});

test('shows a value set from outside', async () => {
  const user = userEvent.setup();
  render(<Form start={['a', 'b']} />);
  await user.click(screen.getByRole('button', { name: 'From elsewhere' }));
  expect(texts()).toEqual(['other']);
});
