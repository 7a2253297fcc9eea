import { createFileRoute } from '@tanstack/react-router';
import { newSecondarySearch } from './new-secondary-search.ts';
import { NewSecondaryPage } from './NewSecondaryPage.tsx';

export const Route = createFileRoute('/$environment/replication/new-secondary/')({
  validateSearch: newSecondarySearch.parse,
  component: NewSecondaryPage,
});
