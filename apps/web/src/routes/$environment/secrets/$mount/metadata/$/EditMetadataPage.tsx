import {
  fieldsOfSecretMetadata,
  secretMetadata,
  type SecretMetadata,
  type SecretMetadataFields,
} from '@gatehouse/api-types/console/secret-metadata';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { AsCode } from '#components/form/AsCode.tsx';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { crumbsOf, folderHref, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { isApiError } from '#lib/api-error.ts';
import { folderOf } from '#lib/folder-of.ts';
import { usePolling } from '#lib/polling.ts';
import { secretEngineQuery, useWriteMetadata } from '#queries/secret-metadata.ts';
import { secretMetadataPoll, secretMetadataQuery } from '#queries/secret-versions.ts';
import { forgetSecret, type SecretPlace } from '#queries/secrets.ts';
import { metadataAsCode } from '#routes/$environment/secrets/-metadata/metadata-as-code.ts';
import { metadataChanges, metadataForm } from '#routes/$environment/secrets/-metadata/metadata-form.ts';
import { reasonAgainstMetadata } from '#routes/$environment/secrets/-metadata/metadata-reasons.ts';
import { RulesCard } from '#routes/$environment/secrets/-metadata/RulesCard.tsx';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';

/** The page that edits what is kept about a secret beside its values. */
export function EditMetadataPage() {
  const place = useSecretPlace();
  const query = useQuery(secretMetadataQuery(place));
  // The edit begins with the first answer; what comes later is what others did.
  const [first, setFirst] = useState<SecretMetadata>();
  if (first === undefined && query.data !== undefined && !query.isStale) setFirst(query.data);
  const name = nameOf(place.path);
  const here = secretHref(place, { tab: 'metadata' });
  const cannotEdit = first && reasonAgainstMetadata(first.may);
  usePageTitle(`Metadata of ${fullName(place)}`);
  return (
    <>
      <PageHeader
        icon={PencilLine}
        title="Edit metadata"
        ancestors={[...crumbsOf(place), { id: 'secret', label: name, href: here }]}
      />
      {first && cannotEdit === undefined && (
        <MetadataForm key={place.path} place={place} first={first} latest={query.data ?? first} />
      )}
      {cannotEdit !== undefined && (
        <div className="flex flex-col items-start gap-3 p-6 text-body text-ink-2">
          <p>{cannotEdit}</p>
          <LinkButton href={here}>Go to the secret</LinkButton>
        </div>
      )}
      {!first && !query.isError && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the metadata" lines={8} />
        </div>
      )}
      {!first && query.isError && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
          action={<LinkButton href={here}>Go to the secret</LinkButton>}
        />
      )}
    </>
  );
}

function storedOf(metadata: SecretMetadata) {
  return {
    record: fieldsOfSecretMetadata(metadata),
    revision: metadata.revision,
    changedBy: null,
    changedAt: metadata.updated_time,
  };
}

function MetadataForm({
  place,
  first,
  latest,
}: {
  place: SecretPlace;
  first: SecretMetadata;
  latest: SecretMetadata;
}) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const write = useWriteMetadata(place);
  const engine = useQuery(secretEngineQuery(place));
  usePolling(secretMetadataPoll(place), 15);
  // Patching is a right of its own, and the narrower one.
  const isPatch = first.may !== null && first.may.patch_metadata;
  const here = secretHref(place, { tab: 'metadata' });
  const form = useRecordForm<SecretMetadataFields>({
    spec: metadataForm,
    stored: storedOf(first),
    latest: storedOf(latest),
    readRecord: (current) => fieldsOfSecretMetadata(secretMetadata.parse(current)),
    write: async (values, stored, guard) => {
      const saved = await write.mutateAsync(
        isPatch
          ? { mode: 'patch', ...guard, changes: metadataChanges(stored.record, values) }
          : { mode: 'whole', ...guard, fields: values },
      );
      toasts.ok({ title: `Metadata of ${nameOf(place.path)} saved` });
      return storedOf(saved);
    },
    onSaved: () => void navigate({ href: here }),
    reread: async () => {
      try {
        return storedOf(await queryClient.fetchQuery({ ...secretMetadataQuery(place), staleTime: 0 }));
      } catch (error) {
        if (isApiError(error, 'not-found')) return undefined;
        throw error;
      }
    },
  });
  const isGone = form.conflict.kind === 'deleted';
  return (
    <RecordFormView
      form={form}
      saveLabel="Save metadata"
      onCancel={() => {
        if (isGone) {
          form.release();
          forgetSecret(queryClient, place);
        }
        void navigate({
          href: isGone ? folderHref({ ...place, path: folderOf(place.path) }) : here,
          replace: isGone,
        });
      }}
    >
      <div className="flex flex-col gap-6">
        <RulesCard title="What will hold" own={form.values} engine={engine.data} />
        <AsCode
          code={metadataAsCode(place, form.stored.record, form.values)}
          note={
            form.changes.length === 0
              ? 'Change something, and this is how to do the same without the console.'
              : 'The same changes without the console. Set VAULT_ADDR and VAULT_TOKEN to the address and to your token.'
          }
        />
      </div>
    </RecordFormView>
  );
}
