import { createFileRoute } from '@tanstack/react-router';
import { ExportPage } from './ExportPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/export/$')({
  /** `secret`: the path is a secret's, not a folder's. */
  validateSearch: ({ secret }: Record<string, unknown>): { secret?: true } =>
    secret === true || secret === 'true' ? { secret: true } : {},
  component: ExportPage,
});
