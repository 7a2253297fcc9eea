import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery, targetQuery } from '#queries/access.ts';
import { NewTargetPage } from './NewTargetPage.tsx';

export interface NewTargetSearch {
  /** The initial project. */
  readonly scope?: string;
  /** The target to clone. */
  readonly from?: string;
}

function parseSearch(search: Readonly<Record<string, unknown>>): NewTargetSearch {
  const { scope, from } = search;
  const isId = (value: unknown): value is string =>
    typeof value === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(value);
  return { ...(isId(scope) && { scope }), ...(isId(from) && { from }) };
}

export const Route = createFileRoute('/$environment/targets/new/')({
  validateSearch: parseSearch,
  loaderDeps: ({ search: { from } }) => ({ from }),
  loader: ({ params: { environment }, deps: { from } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
    if (from !== undefined) void queryClient.prefetchQuery(targetQuery(environment, from));
  },
  component: NewTargetPage,
});
