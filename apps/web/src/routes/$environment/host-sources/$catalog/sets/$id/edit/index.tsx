import { createFileRoute } from '@tanstack/react-router';
import { EditHostSetPage } from './EditHostSetPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/edit/')({
  component: EditHostSetPage,
});
