import { createFileRoute } from '@tanstack/react-router';
import { NewMovePage } from '#routes/$environment/-moves/NewMovePage.tsx';

export const Route = createFileRoute('/$environment/boxes/moves/new/')({
  component: () => <NewMovePage kind="boxes" />,
});
