import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastRegion, toastText } from './ToastRegion.tsx';
import { toasts } from './toasts.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  act(() => {
    toasts.clear();
  });
  cleanup();
  vi.useRealTimers();
});

test('dismisses success messages automatically, but keeps errors until they are closed', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  render(<ToastRegion />);
  act(() => {
    toasts.ok({ title: 'Target created' });
    toasts.danger({ title: 'Saving failed', detail: 'The controller is down.', requestId: '01JD' });
  });
  expect(screen.getByText('Target created')).toBeTruthy();
  act(() => {
    vi.advanceTimersByTime(600_000);
  });
  expect(screen.queryByText('Target created')).toBeNull();
  expect(screen.getByText('Saving failed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Saving failed')).toBeNull();
});

test('copies an error completely, with its request ID', () => {
  expect(
    toastText({
      tone: 'danger',
      title: 'Saving failed',
      detail: 'The controller is down.',
      requestId: '01JD',
    }),
  ).toBe('Saving failed\nThe controller is down.\nRequest 01JD');
});

test('runs its action once and closes', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const undo = vi.fn<() => void>();
  render(<ToastRegion />);
  act(() => {
    toasts.info({ title: '3 targets deleted', action: { label: 'Undo', onPress: undo } });
  });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText('3 targets deleted')).toBeNull();
});
