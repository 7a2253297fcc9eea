import {
  boxSettings,
  fieldsOfBoxSettings,
  type BoxSettings,
} from '@gatehouse/api-types/console/box-accounts';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { boxesHref } from '#components/places/boxes.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { boxSettingsPoll, boxSettingsQuery, useUpdateBoxSettings } from '#queries/box-accounts.ts';
import { EditStored } from '../-editing/EditStored.tsx';
import { NotManaged } from '../-editing/NotManaged.tsx';
import { creatorsWord, settingsForm } from '../-editing/organization-forms.ts';
import { Loading } from '../BoxFrame.tsx';

const ResetTwoFactor = lazy(async () => ({ default: (await import('./ResetTwoFactor.tsx')).ResetTwoFactor }));
const route = getRouteApi('/$environment/boxes/settings/');

/** What administrators decide about the registry: who may create organizations, whose second factor is removed. */
export function SettingsPage() {
  usePageTitle('Settings of the box registry');
  const { environment } = route.useParams();
  const { reset } = route.useSearch();
  const query = useQuery(boxSettingsQuery(environment));
  // The edit begins with what is loaded first; what comes later is what others did.
  const [begun, setBegun] = useState<BoxSettings>();
  if (begun === undefined && query.data !== undefined && !query.isStale) setBegun(query.data);
  return (
    <>
      <PageHeader
        icon={SlidersHorizontal}
        title="Settings of the registry"
        ancestors={[{ id: 'boxes', label: 'Boxes', href: boxesHref(environment) }]}
      />
      {begun === undefined || query.data === undefined ? (
        isApiError(query.error, 'not-found') ? (
          <NotManaged environment={environment} what="its settings" />
        ) : query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Loading label="Loading the settings" />
        )
      ) : begun.may_change ? (
        <EditSettings
          key={begun.revision}
          environment={environment}
          latest={query.data}
          reset={reset}
          onSaved={setBegun}
        />
      ) : (
        <div className="mx-auto flex w-full max-w-300 flex-col gap-4 overflow-y-auto p-6">
          <p className="text-body text-ink-2">
            Administrators of the box registry change its settings. Your role lets you read them.
          </p>
          <DetailCard
            title="Organizations"
            items={[
              {
                label: 'Who may create organizations',
                value: creatorsWord(query.data.organization_creators),
              },
            ]}
          />
        </div>
      )}
    </>
  );
}

function EditSettings({
  environment,
  latest,
  reset,
  onSaved,
}: {
  environment: string;
  latest: BoxSettings;
  /** Login name of somebody whose second factor is to be reset. */
  reset: string | undefined;
  onSaved: (saved: BoxSettings) => void;
}) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const update = useUpdateBoxSettings(environment);
  const [isResetting, setResetting] = useState(reset !== undefined);
  usePolling(boxSettingsPoll(environment), 30);
  return (
    <EditStored
      item={latest}
      spec={settingsForm}
      schema={boxSettings}
      fieldsOf={fieldsOfBoxSettings}
      nameOf={() => 'of the registry'}
      update={(guard, _, values) => update.mutateAsync({ ...guard, fields: values })}
      reread={() => queryClient.fetchQuery({ ...boxSettingsQuery(environment), staleTime: 0 })}
      hrefOf={() => boxesHref(environment)}
      onSaved={onSaved}
      goneHref={boxesHref(environment)}
      forget={() => undefined}
    >
      <Card title="Second factor of others">
        <div className="flex flex-col items-start gap-3">
          <p className="text-body text-ink-2">
            Somebody who lost their authenticator cannot sign in to the registry. Removed, they sign in with
            their password and set up another.
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
              // Asked once: neither a reload nor a save asks again.
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
    </EditStored>
  );
}
