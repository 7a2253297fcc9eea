import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { cloudEnginesQuery, cloudRoleQuery } from '#queries/cloud.ts';
import { roleSearch } from './role-search.ts';
import { RolePage } from './RolePage.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/roles/$role/')({
  validateSearch: roleSearch.parse,
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudRoleQuery(params));
    void queryClient.prefetchQuery(cloudEnginesQuery(params.environment));
  },
  component: RolePage,
});
