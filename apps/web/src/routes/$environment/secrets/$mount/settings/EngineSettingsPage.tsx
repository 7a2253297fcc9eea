import { fieldsOfSecretEngine, type SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { createFileRoute } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { crumbsOf, folderHref, secretsHref } from '#components/places/secrets.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { queryClient } from '#lib/query-client.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { metadataCasItems } from '../../-metadata/metadata-cas.ts';
import { engineKind } from '../../-metadata/metadata-kinds.tsx';
import { RulesCard } from '../../-metadata/RulesCard.tsx';
import { useSecretPlace } from '../../use-secret-place.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/settings/')({
  loader: ({ params: { environment, mount } }) => {
    void queryClient.prefetchQuery(secretEngineQuery({ environment, mount }));
  },
  component: EngineSettingsPage,
});

const UnmountEngine = lazy(async () => ({ default: (await import('./UnmountEngine.tsx')).UnmountEngine }));

/** The settings of a key-value engine, which apply to every secret without its own. */
function EngineSettingsPage() {
  const place = useSecretPlace();
  const { environment, mount } = place;
  const here = folderHref({ ...place, path: '' });
  return (
    <EditRecord
      kind={engineKind}
      address={mount}
      icon={engineKind.icon}
      title={() => 'Settings'}
      pageTitle={() => `Settings of ${mount}`}
      ancestors={[...crumbsOf(place), { id: 'engine', label: mount, href: here }]}
      hrefOf={() => here}
      listHref={secretsHref(environment)}
      actions={(engine) => <Unmount engine={engine} />}
      readOnly={(engine, reason) => <ReadSettings engine={engine} reason={reason} />}
    />
  );
}

function Unmount({ engine }: { engine: SecretEngine }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        size={28}
        disabledReason={
          engine.may?.unmount === false ? "Your policies don't let you unmount this engine." : undefined
        }
        onPress={() => {
          setAsking(true);
        }}
      >
        Unmount
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <UnmountEngine
            engine={engine}
            onClose={() => {
              setAsking(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function ReadSettings({ engine, reason }: { engine: SecretEngine; reason: string }) {
  return (
    <div className="flex max-w-180 flex-col gap-4 p-4 wide:p-6">
      <Banner tone="info" title="Read-only" announce="none">
        {reason}
      </Banner>
      <DetailCard
        title="Engine settings"
        items={[
          { label: 'Description', value: engine.description ?? 'Unknown' },
          { label: 'Versions to keep', value: engine.max_versions.toLocaleString('en') },
          { label: 'Delete versions after', value: engine.delete_version_after },
          { label: 'Check-and-set', value: engine.cas_required ? 'Required' : 'Not required' },
          ...metadataCasItems(engine, 'Not required'),
        ]}
      />
      <RulesCard title="Effective settings" engine={fieldsOfSecretEngine(engine)} />
    </div>
  );
}
