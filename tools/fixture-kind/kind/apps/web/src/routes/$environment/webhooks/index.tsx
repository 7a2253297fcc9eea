import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '#lib/search.ts';
import { prefetchPlaced } from '#queries/placed.ts';
import { webhooks } from '#queries/webhooks.ts';
import { WebhooksPage } from './WebhooksPage.tsx';

export const Route = createFileRoute('/$environment/webhooks/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    prefetchPlaced(webhooks, environment);
  },
  component: WebhooksPage,
});
