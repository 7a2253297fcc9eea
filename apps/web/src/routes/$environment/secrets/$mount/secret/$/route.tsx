import { createFileRoute } from '@tanstack/react-router';
import { secretSearch } from '#components/places/secret-search.ts';
import { queryClient } from '#lib/query-client.ts';
import { secretQuery } from '#queries/secrets.ts';
import { SecretPage } from './SecretPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/secret/$')({
  validateSearch: secretSearch.parse,
  loaderDeps: ({ search: { version } }) => ({ version }),
  loader: ({ params: { environment, mount, _splat: path = '' }, deps: { version } }) => {
    void queryClient.prefetchQuery(secretQuery({ environment, mount, path }, version));
  },
  component: SecretPage,
});
