import { createFileRoute } from '@tanstack/react-router';
import { NewHostPage } from './NewHostPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/hosts/new/')({
  component: NewHostPage,
});
