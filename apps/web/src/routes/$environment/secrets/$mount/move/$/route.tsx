import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { MovePage } from './MovePage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/move/$')({
  /** `folder`: the path is a folder's. */
  validateSearch: ({ folder }: Record<string, unknown>): { folder?: true } =>
    folder === true || folder === 'true' ? { folder: true } : {},
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(mountsQuery(environment));
  },
  component: MovePage,
});
