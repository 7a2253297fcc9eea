import { createFileRoute } from '@tanstack/react-router';
import { HostsOfSetPage } from './HostsOfSetPage.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/hosts/')({
  component: HostsOfSetPage,
});
