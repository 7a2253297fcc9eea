import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RetryLater } from './RetryLater.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('the wait that a service requested is counted down, followed by one retry', () => {
  const retry = vi.fn<() => void>();
  render(<RetryLater seconds={3} onRetry={retry} />);
  expect(screen.getByRole('button').textContent).toBe('Retrying in 3 s');
  act(() => {
    vi.advanceTimersByTime(1500);
  });
  expect(screen.getByRole('button').textContent).toBe('Retrying in 2 s');
  expect(retry).not.toHaveBeenCalled();
  act(() => {
    vi.advanceTimersByTime(60_000);
  });
  expect(retry).toHaveBeenCalledOnce();
  expect(screen.getByRole('button').textContent).toBe('Retry');
});
