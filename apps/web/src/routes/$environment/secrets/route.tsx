import { createFileRoute } from '@tanstack/react-router';
import { ReplicatedLayout } from '#components/environment/ReplicatedLayout.tsx';

export const Route = createFileRoute('/$environment/secrets')({ component: ReplicatedLayout });
