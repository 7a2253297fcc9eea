import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { PasswordField } from '../password-field/PasswordField.tsx';
import { SearchField } from '../search-field/SearchField.tsx';
import { TextField } from './TextField.tsx';

afterEach(cleanup);

/** The accessible description of an element. */
function described(element: HTMLElement): string {
  return (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' | ');
}

test('connects label, description and error to the input', () => {
  render(
    <TextField label="Name" description="Unique in its project." error="This name is taken." isRequired />,
  );
  const field = screen.getByRole('textbox', { name: 'Name' });
  expect(described(field)).toBe('This name is taken. | Unique in its project.');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field.getAttribute('aria-required')).toBe('true');
});

test('ignores an empty error', () => {
  render(<TextField label="Name" error="" />);
  expect(screen.getByRole('textbox').hasAttribute('aria-invalid')).toBe(false);
});

test('keeps a locked field readable and focusable, and shows the reason', async () => {
  const user = userEvent.setup();
  const onChange = vi.fn<(value: string) => void>();
  render(<TextField label="Name" value="db" onChange={onChange} disabledReason="Your role is read-only." />);
  await user.tab();
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(document.activeElement).toBe(field);
  expect(described(field)).toBe('Your role is read-only.');
  await user.keyboard('x');
  expect(onChange).not.toHaveBeenCalled();
});

test('masks a password until it is shown, and keeps the cursor position', async () => {
  const user = userEvent.setup();
  render(<PasswordField label="Password" autoComplete="current-password" defaultValue="hunter2" />);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  expect(field.type).toBe('password');
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(field.type).toBe('text');
  expect(field.value).toBe('hunter2');
  await user.click(screen.getByRole('button', { name: 'Hide' }));
  expect(field.type).toBe('password');
});

test('clears a search with Esc, and passes Esc on when empty', async () => {
  const user = userEvent.setup();
  const texts: string[] = [];
  const outer = vi.fn<() => void>();
  document.addEventListener('keydown', outer);
  render(<SearchField label="Search" onChange={(text) => texts.push(text)} />);
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'db');
  outer.mockClear();
  await user.keyboard('{Escape}');
  expect(texts).toEqual(['d', 'db', '']);
  expect(outer).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(outer).toHaveBeenCalledOnce();
  document.removeEventListener('keydown', outer);
});
