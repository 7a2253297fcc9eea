import { zodResolver } from '@hookform/resolvers/zod';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { FormField } from './FormField.tsx';

afterEach(cleanup);

const schema = z.object({ name: z.string().check(z.minLength(1, 'A role needs a name.')) });

function Form() {
  const { control } = useForm({
    defaultValues: { name: '' },
    resolver: zodResolver(schema),
    mode: 'onTouched',
  });
  return <FormField field={{ path: 'name', label: 'Name', input: { kind: 'text' } }} control={control} />;
}

/** Waits for synchronous validation. */
const settled = () => act(() => new Promise((resolve) => setImmediate(resolve)));

test('a field shows its error when left after an edit, not when only passed', async () => {
  render(<Form />);
  const name = screen.getByRole('textbox', { name: 'Name' });
  fireEvent.blur(name);
  await settled();
  expect(screen.queryByText('A role needs a name.')).toBeNull();
  fireEvent.change(name, { target: { value: 'x' } });
  fireEvent.change(name, { target: { value: '' } });
  fireEvent.blur(name);
  expect(await screen.findByText('A role needs a name.')).toBeTruthy();
});
