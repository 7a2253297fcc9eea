import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { searchOf, words } from '#lib/search.ts';
import { registrySettings } from '#queries/box-accounts.ts';
import { recordQuery } from '#queries/record-life.ts';
import { SettingsPage } from './SettingsPage.tsx';

export const Route = createFileRoute('/$environment/boxes/settings/')({
  // `reset`: opens the dialog to reset this user's second factor.
  validateSearch: searchOf({ reset: words }).parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(recordQuery(registrySettings, environment, null));
  },
  component: SettingsPage,
});
