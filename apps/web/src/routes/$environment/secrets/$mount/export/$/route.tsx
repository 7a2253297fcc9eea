import { createFileRoute } from '@tanstack/react-router';
import { on, searchOf } from '#lib/search.ts';
import { ExportPage } from './ExportPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/export/$')({
  /** `secret`: the path is a secret's, not a folder's. */
  validateSearch: searchOf({ secret: on }).parse,
  component: ExportPage,
});
