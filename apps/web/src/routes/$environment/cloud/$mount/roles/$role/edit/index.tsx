import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { cloudRoleQuery } from '#queries/cloud.ts';
import { EditRolePage } from './EditRolePage.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/roles/$role/edit/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudRoleQuery(params));
  },
  component: EditRolePage,
});
