import { createFileRoute } from '@tanstack/react-router';
import { EditCredentialPage } from './EditCredentialPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/$id/edit/')({
  component: EditCredentialPage,
});
