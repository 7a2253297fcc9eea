import { createFileRoute } from '@tanstack/react-router';
import { binSearch } from './bin-search.ts';
import { RecycleBinPage } from './RecycleBinPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/recycle-bin/$')({
  validateSearch: binSearch.parse,
  component: RecycleBinPage,
});
