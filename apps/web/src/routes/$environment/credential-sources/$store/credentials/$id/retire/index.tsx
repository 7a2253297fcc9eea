import { createFileRoute } from '@tanstack/react-router';
import { RetireCredentialPage } from './RetireCredentialPage.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/$id/retire/')({
  component: RetireCredentialPage,
});
