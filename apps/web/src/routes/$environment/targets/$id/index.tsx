import { createFileRoute } from '@tanstack/react-router';
import { targetQuery } from '../../../../queries/access.ts';
import { parseTargetsSearch } from '../targets-search.ts';
import { TargetPage } from './TargetPage.tsx';

export const Route = createFileRoute('/$environment/targets/$id/')({
  validateSearch: parseTargetsSearch,
  loader: ({ context: { queryClient }, params: { environment, id } }) => {
    void queryClient.prefetchQuery(targetQuery(environment, id));
  },
  component: TargetPage,
});
