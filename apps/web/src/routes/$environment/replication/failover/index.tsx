import { createFileRoute } from '@tanstack/react-router';
import { failoverSearch } from './failover-search.ts';
import { FailoverPage } from './FailoverPage.tsx';

export const Route = createFileRoute('/$environment/replication/failover/')({
  validateSearch: failoverSearch.parse,
  component: FailoverPage,
});
