import { createFileRoute } from '@tanstack/react-router';
import { EditPluginPage } from './EditPluginPage.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/edit/')({ component: EditPluginPage });
