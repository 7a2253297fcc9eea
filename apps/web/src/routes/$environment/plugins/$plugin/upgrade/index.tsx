import { createFileRoute } from '@tanstack/react-router';
import { UpgradePage } from './UpgradePage.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/upgrade/')({ component: UpgradePage });
