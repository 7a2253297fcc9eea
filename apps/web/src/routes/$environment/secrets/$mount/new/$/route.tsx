import { createFileRoute } from '@tanstack/react-router';
import { NewSecretPage } from './NewSecretPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/new/$')({ component: NewSecretPage });
