import { createFileRoute } from '@tanstack/react-router';
import { NewLibraryPage } from './NewLibraryPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/new/')({
  component: NewLibraryPage,
});
