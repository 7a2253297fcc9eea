import { createFileRoute } from '@tanstack/react-router';
import { queryClient } from '#lib/query-client.ts';
import { registrySettings } from '#queries/box-accounts.ts';
import { recordQuery } from '#queries/record-life.ts';
import { SettingsPage } from './SettingsPage.tsx';

export const Route = createFileRoute('/$environment/boxes/settings/')({
  // Whose second factor is to be reset: the dialog opens for them.
  validateSearch: ({ reset }: Readonly<Record<string, unknown>>): { reset?: string } =>
    typeof reset === 'string' || typeof reset === 'number' ? { reset: String(reset) } : {},
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(recordQuery(registrySettings, environment, null));
  },
  component: SettingsPage,
});
