import { zodResolver } from '@hookform/resolvers/zod';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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
  return (
    <>
      <FormField field={{ path: 'name', label: 'Name', input: { kind: 'text' } }} control={control} />
      <button type="button">Next</button>
    </>
  );
}

test('a field is refused when it is left after an edit, not when it is only passed by', async () => {
  const user = userEvent.setup();
  render(<Form />);
  const name = screen.getByRole('textbox', { name: 'Name' });
  await user.click(name);
  await user.tab();
  expect(name.getAttribute('aria-invalid')).toBeNull();
  await user.type(name, 'x{Backspace}');
  await user.tab();
  expect(await screen.findByText('A role needs a name.')).toBeTruthy();
});
