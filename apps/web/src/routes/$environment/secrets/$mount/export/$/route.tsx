import { createFileRoute } from '@tanstack/react-router';
import { ExportPage } from './ExportPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/export/$')({
  /** `secret`: the path is that of one secret, not of a folder. */
  validateSearch: ({ secret }: Record<string, unknown>): { secret?: true } =>
    secret === true || secret === 'true' ? { secret: true } : {},
  component: ExportPage,
});
