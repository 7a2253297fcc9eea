import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CredentialsForm } from './CredentialsForm.tsx';

afterEach(cleanup);

test('two presses in a row are one try', async () => {
  const onSubmit = vi.fn<() => Promise<unknown>>(() => Promise.withResolvers().promise);
  render(
    <CredentialsForm environment="local" methods={['password']} submitLabel="Sign in" onSubmit={onSubmit} />,
  );
  fireEvent.change(screen.getByRole('textbox', { name: 'Login name' }), { target: { value: 'ann' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  const button = screen.getByRole('button', { name: 'Sign in' });
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => {
    expect(onSubmit).toHaveBeenCalled();
  });
  await waitFor(() => {
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });
  expect(onSubmit).toHaveBeenCalledOnce();
});
