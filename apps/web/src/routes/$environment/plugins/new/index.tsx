import { createFileRoute } from '@tanstack/react-router';
import { NewPluginPage } from './NewPluginPage.tsx';

// The page reads what its address says by itself: the entry that everybody loads need not know it.
export const Route = createFileRoute('/$environment/plugins/new/')({ component: NewPluginPage });
