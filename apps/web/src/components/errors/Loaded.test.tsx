import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Loaded } from './Loaded.tsx';

afterEach(cleanup);

test('shows that data is loading, then the failure with a retry, then the data even if a later read fails', () => {
  const refetch = vi.fn<() => Promise<never>>(() => new Promise(() => undefined));
  const shown = (data: string | undefined, error: Error | null) => (
    <Loaded query={{ data, error, refetch }} label="Loading the sessions">
      {(sessions) => <p>{sessions}</p>}
    </Loaded>
  );
  const { rerender } = render(shown(undefined, null));
  expect(screen.getByText('Loading the sessions')).toBeDefined();
  rerender(shown(undefined, new Error('broken')));
  expect(screen.queryByText('Loading the sessions')).toBeNull();
  screen.getByRole('button', { name: 'Retry' }).click();
  expect(refetch).toHaveBeenCalledOnce();
  rerender(shown('one session', new Error('broken')));
  expect(screen.getByText('one session')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});
