import { createFileRoute } from '@tanstack/react-router';
import { compareSearch } from './compare-search.ts';
import { ComparePage } from './ComparePage.tsx';

export const Route = createFileRoute('/$environment/replication/compare/')({
  validateSearch: compareSearch.parse,
  component: ComparePage,
});
