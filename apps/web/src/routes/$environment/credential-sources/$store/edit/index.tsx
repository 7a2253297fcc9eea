import { createFileRoute } from '@tanstack/react-router';
import { EditStorePage } from './EditStorePage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/edit/')({
  component: EditStorePage,
});
