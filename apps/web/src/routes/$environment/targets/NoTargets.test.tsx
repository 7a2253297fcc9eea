import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { NoTargets } from './NoTargets.tsx';

afterEach(cleanup);

test('says in which scope nothing matches, unless all are listed', () => {
  const show = (scope: string | undefined, isLoading: boolean): string => {
    cleanup();
    const nothing = () => undefined;
    render(
      <NoTargets
        search={{ q: 'db' }}
        scope={scope}
        create={{ href: '', reason: undefined }}
        isLoading={isLoading}
        onClear={nothing}
        onRecursive={nothing}
        onWhy={nothing}
      />,
    );
    return screen.getByText(/db/).textContent;
  };
  expect(show('payments', false)).toBe('No targets match "db" in payments.');
  expect(show('payments', true)).toMatch('No matches for "db" in payments yet.');
  expect(show(undefined, false)).toBe('No targets match "db".');
});
