import {
  boxSettings,
  type BoxSettings,
  type BoxSettingsFields,
  fieldsOfBoxSettings,
} from '@gatehouse/api-types/console/box-accounts';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { boxesHref } from '#components/places/boxes.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { EditRecord } from '#components/record/EditRecord.tsx';
import type { RecordKind } from '#components/record/record-kind.ts';
import { isApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { searchOf, words } from '#lib/search.ts';
import { registrySettings } from '#queries/box-accounts.ts';
import { recordQuery } from '#queries/record-life.ts';
import { NotManaged } from '../-editing/NotManaged.tsx';
import { creatorsWord, settingsForm } from '../-editing/organization-forms.ts';

export const Route = createFileRoute('/$environment/boxes/settings/')({
  // `reset`: opens the dialog to reset this user's second factor.
  validateSearch: searchOf({ reset: words }).parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(recordQuery(registrySettings, environment, null));
  },
  component: SettingsPage,
});

const ResetTwoFactor = lazy(async () => ({ default: (await import('./ResetTwoFactor.tsx')).ResetTwoFactor }));
const route = getRouteApi('/$environment/boxes/settings/');

const settingsKind: RecordKind<BoxSettings, BoxSettingsFields, never, BoxSettingsFields, null> = {
  calls: registrySettings,
  noun: 'settings',
  icon: SlidersHorizontal,
  nameOf: () => 'of the registry',
  reasonAgainst: ({ may_change: mayChange }) =>
    mayChange
      ? undefined
      : 'Only administrators of the box registry can change its settings. Your role lets you read them.',
  schema: boxSettings,
  fieldsOf: fieldsOfBoxSettings,
  formOf: () => settingsForm,
  bodyOf: (_, { values }) => values,
  asideOf: () => <SecondFactorCard />,
};

/** The registry's settings for administrators: who may create organizations, and resetting second factors. */
function SettingsPage() {
  const { environment } = route.useParams();
  const here = boxesHref(environment);
  return (
    <EditRecord
      kind={settingsKind}
      address={null}
      icon={SlidersHorizontal}
      title={() => 'Registry settings'}
      pageTitle={() => 'Box registry settings'}
      ancestors={[{ id: 'boxes', label: 'Boxes', href: here }]}
      hrefOf={() => here}
      listHref={here}
      stays
      missing={(error) =>
        isApiError(error, 'not-found') && <NotManaged environment={environment} what="its settings" />
      }
      readOnly={({ organization_creators: creators }, reason) => (
        <div className="mx-auto flex w-full max-w-300 flex-col gap-4 overflow-y-auto p-6">
          <p className="text-body text-ink-2">{reason}</p>
          <DetailCard
            title="Organizations"
            items={[{ label: 'Who can create organizations', value: creatorsWord(creators) }]}
          />
        </div>
      )}
    />
  );
}

function SecondFactorCard() {
  const { environment } = route.useParams();
  /** The login name of the user whose second factor to reset. */
  const { reset } = route.useSearch();
  const navigate = useNavigate();
  const [isResetting, setResetting] = useState(reset !== undefined);
  return (
    <>
      <Card title="Other users' second factors">
        <div className="flex flex-col items-start gap-3">
          <p className="text-body text-ink-2">
            Users who lost their authenticator can't sign in to the registry. After you remove their second
            factor, they sign in with their password and can set up a new one.
          </p>
          <Button
            size={28}
            onPress={() => {
              setResetting(true);
            }}
          >
            Reset a second factor
          </Button>
        </div>
      </Card>
      {isResetting && (
        <Suspense fallback={null}>
          <ResetTwoFactor
            environment={environment}
            of={reset}
            onClose={() => {
              setResetting(false);
              // Removed from the address, so that a reload doesn't ask again.
              if (reset !== undefined)
                void navigate({
                  to: '/$environment/boxes/settings',
                  params: { environment },
                  replace: true,
                });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
