import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { CredentialsForm } from './CredentialsForm.tsx';

afterEach(cleanup);

/** Sends a wrong password with Enter. The test decides when the server refuses it. */
async function sendWrongPassword() {
  const answer = Promise.withResolvers<never>();
  const sent = Promise.withResolvers<void>();
  render(
    <CredentialsForm
      environment="local"
      methods={['password']}
      submitLabel="Sign in"
      onSubmit={() => {
        sent.resolve();
        return answer.promise;
      }}
    />,
  );
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Login name' });
  const password = screen.getByLabelText<HTMLInputElement>('Password');
  await waitFor(() => expect(document.activeElement).toBe(name));
  fireEvent.change(name, { target: { value: 'ada' } });
  fireEvent.change(password, { target: { value: 'wrong' } });
  fireEvent.submit(name);
  await sent.promise;
  const refused = async () => {
    answer.reject(new ApiError('sign-in-failed'));
    await screen.findByText('Sign-in failed');
  };
  return { name, password, refused };
}

test('a refused password is selected for retyping', async () => {
  const { password, refused } = await sendWrongPassword();
  await refused();
  expect(document.activeElement).toBe(password);
  expect(password.selectionEnd).toBe('wrong'.length);
});

test('a refusal leaves the focus in the login name while it is being edited', async () => {
  const { name, refused } = await sendWrongPassword();
  fireEvent.input(name, { target: { value: 'adam' } });
  await refused();
  expect(document.activeElement).toBe(name);
});

test.each([
  ['while the first is sent', Promise.withResolvers().promise],
  ['after the first succeeded', Promise.resolve()],
])('a second press sends nothing: %s', async (_, answer) => {
  const onSubmit = vi.fn<() => Promise<unknown>>(() => answer);
  render(
    <CredentialsForm environment="local" methods={['password']} submitLabel="Sign in" onSubmit={onSubmit} />,
  );
  fireEvent.change(screen.getByRole('textbox', { name: 'Login name' }), { target: { value: 'ann' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  const button = screen.getByRole('button', { name: 'Sign in' });
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => {
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });
  fireEvent.click(button);
  // Another attempt would begin once the schema is loaded.
  await act(async () => {
    await import('@gatehouse/api-types/console/session');
  });
  expect(onSubmit).toHaveBeenCalledOnce();
});
