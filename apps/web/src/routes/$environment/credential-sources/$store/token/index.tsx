import { createFileRoute } from '@tanstack/react-router';
import { RotateTokenPage } from './RotateTokenPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/token/')({
  component: RotateTokenPage,
});
