import { createFileRoute } from '@tanstack/react-router';
import { FindValuePage } from './FindValuePage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/find-value/$')({
  component: FindValuePage,
});
