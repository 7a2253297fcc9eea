import { createFileRoute } from '@tanstack/react-router';
import { RetireLibraryPage } from './RetireLibraryPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/$id/retire/')({
  component: RetireLibraryPage,
});
