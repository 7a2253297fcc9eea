import {
  fieldsOfSecretEngine,
  secretEngine,
  type SecretEngine,
  type SecretEngineFields,
} from '@gatehouse/api-types/console/secret-metadata';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { AsCode } from '#components/form/AsCode.tsx';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { crumbsOf, folderHref, secretsHref } from '#components/places/secrets.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { secretEnginePoll, secretEngineQuery, useUpdateEngine } from '#queries/secret-metadata.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { engineEffects } from '../../-metadata/engine-effects.ts';
import { engineAsCode } from '../../-metadata/metadata-as-code.ts';
import { engineForm } from '../../-metadata/metadata-form.ts';
import { reasonAgainstEngine } from '../../-metadata/metadata-reasons.ts';
import { RulesCard } from '../../-metadata/RulesCard.tsx';
import { useSecretPlace } from '../../use-secret-place.ts';

/** The settings of a key-value engine, which hold for every secret in it that does not say otherwise. */
export function EngineSettingsPage() {
  const place = useSecretPlace();
  const query = useQuery(secretEngineQuery(place));
  const [first, setFirst] = useState<SecretEngine>();
  if (first === undefined && query.data !== undefined && !query.isStale) setFirst(query.data);
  const here = folderHref({ ...place, path: '' });
  const cannotEdit = first && reasonAgainstEngine(first.may);
  usePageTitle(`Settings of ${place.mount}`);
  return (
    <>
      <PageHeader
        icon={Settings2}
        title="Settings"
        ancestors={[...crumbsOf(place), { id: 'engine', label: place.mount, href: here }]}
      />
      {first && cannotEdit === undefined && (
        <EngineForm key={place.mount} place={place} first={first} latest={query.data ?? first} />
      )}
      {first && cannotEdit !== undefined && (
        <div className="flex max-w-180 flex-col gap-4 p-4 wide:p-6">
          <Banner tone="info" title="To be read only" announce="none">
            {cannotEdit}
          </Banner>
          <DetailCard
            title="Settings of the engine"
            items={[
              { label: 'Versions to keep', value: first.max_versions.toLocaleString('en') },
              { label: 'Delete versions after', value: first.delete_version_after },
              { label: 'Writes name their version', value: first.cas_required ? 'Required' : 'Not required' },
            ]}
          />
          <RulesCard title="What holds" engine={fieldsOfSecretEngine(first)} />
        </div>
      )}
      {!first && !query.isError && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the settings" lines={6} />
        </div>
      )}
      {!first && query.isError && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
          action={<LinkButton href={here}>Go to the engine</LinkButton>}
        />
      )}
    </>
  );
}

function storedOf(engine: SecretEngine) {
  return {
    record: fieldsOfSecretEngine(engine),
    revision: engine.revision,
    changedBy: null,
    changedAt: null,
  };
}

function EngineForm({
  place,
  first,
  latest,
}: {
  place: SecretPlace;
  first: SecretEngine;
  latest: SecretEngine;
}) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const update = useUpdateEngine(place);
  usePolling(secretEnginePoll(place), 15);
  const here = folderHref({ ...place, path: '' });
  const form = useRecordForm<SecretEngineFields>({
    spec: engineForm,
    stored: storedOf(first),
    latest: storedOf(latest),
    readRecord: (current) => fieldsOfSecretEngine(secretEngine.parse(current)),
    write: async (values, _stored, guard) => {
      const saved = await update.mutateAsync({ ...guard, fields: values });
      toasts.ok({ title: `Settings of ${place.mount} saved` });
      return storedOf(saved);
    },
    onSaved: () => void navigate({ href: here }),
    reread: async () => {
      try {
        return storedOf(await queryClient.fetchQuery({ ...secretEngineQuery(place), staleTime: 0 }));
      } catch (error) {
        if (isApiError(error, 'not-found')) return undefined;
        throw error;
      }
    },
  });
  const effects = engineEffects(form.stored.record, form.values);
  return (
    <RecordFormView
      form={form}
      saveLabel="Save settings"
      onCancel={() => {
        const isGone = form.conflict.kind === 'deleted';
        if (isGone) form.release();
        void navigate({ href: isGone ? secretsHref(place.environment) : here, replace: isGone });
      }}
    >
      <div className="flex flex-col gap-6">
        <RulesCard title="What will hold for secrets without settings of their own" engine={form.values} />
        {effects.length > 0 && (
          <section aria-label="What saving does" className="flex flex-col gap-2" aria-live="polite">
            <h2 className="text-heading font-semibold text-ink-1">What saving does</h2>
            <ul className="flex list-disc flex-col gap-1 ps-5 text-body text-ink-1">
              {effects.map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          </section>
        )}
        <AsCode
          code={engineAsCode(place.mount, form.values)}
          note="The same settings without the console. Set VAULT_ADDR and VAULT_TOKEN to the address and to your token."
        />
      </div>
    </RecordFormView>
  );
}
