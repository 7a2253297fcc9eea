import { createFileRoute } from '@tanstack/react-router';
import { GuidesPage } from './GuidesPage.tsx';

export const Route = createFileRoute('/$environment/replication/guides/')({ component: GuidesPage });
