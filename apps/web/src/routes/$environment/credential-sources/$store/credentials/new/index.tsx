import { createFileRoute } from '@tanstack/react-router';
import { NewCredentialPage } from './NewCredentialPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/new/')({
  component: NewCredentialPage,
});
