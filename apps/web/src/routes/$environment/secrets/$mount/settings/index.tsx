import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { EngineSettingsPage } from './EngineSettingsPage.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/settings/')({
  loader: ({ params: { environment, mount } }) => {
    void queryClient.prefetchQuery(secretEngineQuery({ environment, mount }));
  },
  component: EngineSettingsPage,
});
