import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useFieldProblems } from './use-field-problems.ts';

afterEach(cleanup);

function Form() {
  const { problems, form, refuse, refuseAnswer } = useFieldProblems<HTMLDivElement>();
  return (
    <div ref={form}>
      <input aria-label="Name" aria-invalid={problems['name'] !== undefined} />
      <input aria-label="Note" />
      <button onClick={() => refuse({ name: 'Enter a name.' })}>Send nothing</button>
      <button onClick={() => refuse({})}>Send</button>
      <button onClick={() => refuseAnswer({ name: 'This name is taken.' })}>Answer</button>
    </div>
  );
}

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const field = (name: string): HTMLElement => screen.getByRole('textbox', { name });

test('a problem found by the page receives the focus', () => {
  render(<Form />);
  field('Note').focus();
  press('Send nothing');
  expect(document.activeElement).toBe(field('Name'));
});

test('a problem found by the server receives the focus, unless another field is being edited', () => {
  render(<Form />);
  press('Send');
  press('Answer');
  expect(document.activeElement).toBe(field('Name'));
  press('Send');
  field('Note').focus();
  press('Answer');
  expect(document.activeElement).toBe(field('Note'));
});
