import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { YourBoxes } from './YourBoxes.tsx';

afterEach(cleanup);

function show(...names: readonly string[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const namespaces = names.map((username) => ({ username, kind: 'person' as const }));
  client.setQueryData([...boxAccountQuery('local').queryKey], {
    namespaces,
  });
  render(
    <QueryClientProvider client={client}>
      <YourBoxes environment="local" />
    </QueryClientProvider>,
  );
}

test('unreleased boxes, which the list leaves out, are linked by owner', () => {
  show('ann', 'acme', 'b', 'c', 'd');
  screen.getByText(/Only released boxes are listed/);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/local/boxes/owners/ann',
    '/local/boxes/owners/acme',
    '/local/boxes/owners/b',
  ]);
  screen.getByText('and 2 more in the Registry menu');
});

test('users who can publish for nobody see no links', () => {
  show();
  expect(screen.queryByText(/Only released/)).toBeNull();
});
