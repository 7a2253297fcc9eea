import { createFileRoute } from '@tanstack/react-router';
import { RecycleBinPage } from './RecycleBinPage.tsx';

export interface RecycleBinSearch {
  /** Deleted versions of secrets whose newest version is readable, too. */
  readonly all?: true;
}

export const Route = createFileRoute('/$environment/secrets/$mount/recycle-bin/$')({
  validateSearch: ({ all }: Record<string, unknown>): RecycleBinSearch =>
    all === true || all === 'true' ? { all: true } : {},
  component: RecycleBinPage,
});
