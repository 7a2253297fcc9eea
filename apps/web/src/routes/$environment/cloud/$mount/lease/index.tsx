import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { cloudLeaseSettingsQuery } from '#queries/cloud.ts';
import { LeasePage } from './LeasePage.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/lease/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudLeaseSettingsQuery(params));
  },
  component: LeasePage,
});
