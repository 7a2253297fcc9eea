import { createFileRoute } from '@tanstack/react-router';
import { NewHostSetPage } from './NewHostSetPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/new/')({
  component: NewHostSetPage,
});
