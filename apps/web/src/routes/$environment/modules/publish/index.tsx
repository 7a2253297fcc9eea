import { createFileRoute } from '@tanstack/react-router';
import { publishSearch } from './publish-search.ts';
import { PublishPage } from './PublishPage.tsx';

export const Route = createFileRoute('/$environment/modules/publish/')({
  validateSearch: publishSearch.parse,
  component: PublishPage,
});
