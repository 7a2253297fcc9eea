import { readDuration } from '@gatehouse/api-types/console/read-duration';
import { readSecretDate, secretDateKinds } from '@gatehouse/api-types/console/secret-dates';
import { fieldsOfSecretMetadata, type SecretMetadata } from '@gatehouse/api-types/console/secret-metadata';
import { Button } from '@gatehouse/ui/button';
import { Link } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { editMetadataHref, engineHref } from '#components/places/secrets.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { isApiError } from '#lib/api-error.ts';
import { durationInWords } from '#lib/duration.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { secretMetadataQuery } from '#queries/secret-versions.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import type { SecretTabProps } from '../secret-tab-props.ts';
import { metadataCasItems } from './metadata-cas.ts';
import { reasonAgainstMetadata } from './metadata-reasons.ts';
import { RulesCard } from './RulesCard.tsx';

/** A secret's settings and custom metadata. */
export function MetadataTab({ place, secret }: SecretTabProps) {
  const query = useQuery(secretMetadataQuery(place));
  if (query.isPending) return <SkeletonList label="Loading the metadata" lines={6} />;
  if (query.data !== undefined) return <Shown place={place} metadata={query.data} />;
  // Reading the secret returns its custom metadata too, without a right to read metadata.
  const custom = secret.version?.custom_metadata ?? {};
  return (
    <div className="h-full overflow-y-auto pb-6">
      {isApiError(query.error, 'forbidden') && Object.keys(custom).length > 0 && (
        <CustomMetadata custom={custom} />
      )}
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    </div>
  );
}

function Shown({ place, metadata }: { place: SecretPlace; metadata: SecretMetadata }) {
  const navigate = useNavigate();
  const engine = useQuery(secretEngineQuery(place));
  const cannotEdit = reasonAgainstMetadata(metadata.may);
  const edit = (): void => {
    if (cannotEdit === undefined) void navigate({ href: editMetadataHref(place) });
  };
  useShortcut({ keys: 'm', label: 'Edit metadata', group: 'Secret', run: edit });
  const { max_versions: versions, delete_version_after: after, cas_required: cas } = metadata;
  const seconds = readDuration(after) ?? 0;
  const byEngine = 'Engine default';
  return (
    <div className="h-full overflow-y-auto pb-6">
      <div className="mx-auto grid max-w-300 gap-4 wide:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <CustomMetadata
            custom={metadata.custom_metadata}
            actions={
              <Button size={28} icon={PencilLine} shortcut="m" disabledReason={cannotEdit} onPress={edit}>
                Edit metadata
              </Button>
            }
          />
          <DetailCard
            title="History"
            items={[
              { label: 'Created', value: <Time value={metadata.created_time} /> },
              { label: 'Updated', value: <Time value={metadata.updated_time} /> },
              {
                label: 'Newest version',
                value: metadata.current_version === 0 ? '' : String(metadata.current_version),
              },
              {
                label: 'Oldest version kept',
                value: String(metadata.versions.at(-1)?.version ?? ''),
              },
            ]}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <DetailCard
            title="Secret settings"
            items={[
              {
                label: 'Versions to keep',
                value: versions === 0 ? byEngine : versions.toLocaleString('en'),
              },
              {
                label: 'Delete versions after',
                value: seconds === 0 ? byEngine : `${durationInWords(seconds)} (${after})`,
              },
              { label: 'Check-and-set', value: cas ? 'Required' : byEngine },
              ...metadataCasItems(metadata, byEngine),
            ]}
          />
          <RulesCard title="Effective settings" own={fieldsOfSecretMetadata(metadata)} engine={engine.data} />
          <p className="text-meta text-ink-2">
            Where this secret has no setting of its own, the{' '}
            <Link href={engineHref(place)}>engine settings</Link> apply.
          </p>
        </div>
      </div>
    </div>
  );
}

/** A value, with how far away it is if Overview shows it as a date. */
function withDate(key: string, value: string): ReactNode {
  if (secretDateKinds.every((kind) => kind !== key)) return value;
  const at = readSecretDate(value);
  return (
    <>
      {value}{' '}
      <span className="text-ink-2">
        {at === undefined ? (
          '(not a date)'
        ) : (
          <>
            (<Time value={at} isRelative />)
          </>
        )}
      </span>
    </>
  );
}

function CustomMetadata({
  custom,
  actions,
}: {
  custom: Readonly<Record<string, string>>;
  actions?: ReactNode;
}) {
  const entries = Object.entries(custom);
  return (
    <DetailCard
      title={`Custom metadata (${String(entries.length)})`}
      {...(actions !== undefined && { actions })}
      items={
        entries.length === 0
          ? [
              {
                label: 'None',
                value: 'Custom metadata can hold an owner, a purpose or a rotation date.',
              },
            ]
          : entries.map(([label, value]) => ({ label, value: withDate(label, value), copyText: value }))
      }
    />
  );
}
