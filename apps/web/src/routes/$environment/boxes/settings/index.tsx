import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '../../../../lib/query-client.ts';
import { boxSettingsQuery } from '../../../../queries/box-accounts.ts';
import { SettingsPage } from './SettingsPage.tsx';

export const Route = createFileRoute('/$environment/boxes/settings/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(boxSettingsQuery(environment));
  },
  component: SettingsPage,
});
