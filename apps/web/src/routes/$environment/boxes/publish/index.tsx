import { createFileRoute } from '@tanstack/react-router';
import { BeginPage } from './BeginPage.tsx';

export const Route = createFileRoute('/$environment/boxes/publish/')({
  validateSearch: ({ box }: Record<string, unknown>): { box?: string } =>
    typeof box === 'string' && box !== '' ? { box } : {},
  component: BeginPage,
});
