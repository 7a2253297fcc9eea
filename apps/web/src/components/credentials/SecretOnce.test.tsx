import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SecretOnce } from './SecretOnce.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('a secret that is shown once is masked when the page is hidden, and can be revealed again', () => {
  render(<SecretOnce label="Token" text="s.canary" />);
  const reveal = () => {
    fireEvent.click(screen.getByRole('button', { name: 'Reveal token' }));
  };
  reveal();
  expect(screen.queryByText('s.canary')).not.toBeNull();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(screen.queryByText('s.canary')).toBeNull();
  reveal();
  expect(screen.queryByText('s.canary')).not.toBeNull();
});
