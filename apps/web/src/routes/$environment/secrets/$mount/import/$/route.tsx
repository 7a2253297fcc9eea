import { createFileRoute } from '@tanstack/react-router';
import { ImportPage } from './ImportPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/import/$')({ component: ImportPage });
