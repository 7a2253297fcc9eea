import { createFileRoute } from '@tanstack/react-router';
import { EditLibraryPage } from './EditLibraryPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/$id/edit/')({
  component: EditLibraryPage,
});
