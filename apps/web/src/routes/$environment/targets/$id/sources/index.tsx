import { createFileRoute } from '@tanstack/react-router';
import { TargetSourcesPage } from './TargetSourcesPage.tsx';

export const Route = createFileRoute('/$environment/targets/$id/sources/')({
  component: TargetSourcesPage,
});
