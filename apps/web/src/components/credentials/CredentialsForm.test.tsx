import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { CredentialsForm } from './CredentialsForm.tsx';

afterEach(cleanup);

/** Sends a wrong password with Enter; the server answers when it is told to. */
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

test('a refused password is selected, to be typed again', async () => {
  const { password, refused } = await sendWrongPassword();
  await refused();
  expect(document.activeElement).toBe(password);
  expect(password.selectionEnd).toBe('wrong'.length);
});

test('a refusal leaves the focus in the login name while that is being typed', async () => {
  const { name, refused } = await sendWrongPassword();
  fireEvent.input(name, { target: { value: 'adam' } });
  await refused();
  expect(document.activeElement).toBe(name);
});
