import { createFileRoute } from '@tanstack/react-router';
import { NewPluginPage } from './NewPluginPage.tsx';

// The page parses its own search parameters, to keep them out of the entry that every page loads.
export const Route = createFileRoute('/$environment/plugins/new/')({ component: NewPluginPage });
