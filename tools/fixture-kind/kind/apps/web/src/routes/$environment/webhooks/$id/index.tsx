import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { recordQuery } from '#queries/record-life.ts';
import { webhooks } from '#queries/webhooks.ts';
import { WebhookPage } from './WebhookPage.tsx';

export const Route = createFileRoute('/$environment/webhooks/$id/')({
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(recordQuery(webhooks, environment, id));
  },
  component: WebhookPage,
});
