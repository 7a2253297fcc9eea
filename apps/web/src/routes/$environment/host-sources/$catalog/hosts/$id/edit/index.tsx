import { createFileRoute } from '@tanstack/react-router';
import { EditHostPage } from './EditHostPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/hosts/$id/edit/')({
  component: EditHostPage,
});
