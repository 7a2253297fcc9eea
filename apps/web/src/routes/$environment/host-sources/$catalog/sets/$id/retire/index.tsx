import { createFileRoute } from '@tanstack/react-router';
import { RetireHostSetPage } from './RetireHostSetPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/retire/')({
  component: RetireHostSetPage,
});
