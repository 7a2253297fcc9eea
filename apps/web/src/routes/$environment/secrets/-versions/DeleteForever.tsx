import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { Secret } from '@gatehouse/api-types/console/secrets';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { folderHref, fullName, nameOf } from '#components/places/secrets.ts';
import { useAsked } from '#components/record/use-asked.ts';
import { losingTargets } from '#components/source/losing-targets.ts';
import { useTargetsReading } from '#components/source/use-targets-reading.ts';
import { folderOf } from '#lib/folder-of.ts';
import { secretMetadataQuery, useDeleteForever } from '#queries/secret-versions.ts';
import { forgetSecret } from '#queries/secrets.ts';
import type { ActionDialogProps } from '../secret-action.ts';
import { ConfirmVersions, useGuardedVersion } from './ConfirmVersions.tsx';
import { withdrawUndo } from './offer-undo.ts';
import { countVersions, isReadable } from './version-words.ts';

/** Asks for the whole path before deleting a secret permanently, with all versions and metadata. */
export function DeleteForever({ place, subject, onClose }: ActionDialogProps<Secret>) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useDeleteForever(place);
  const { data: latest, isStale } = useQuery(secretMetadataQuery(place));
  const metadata = useAsked(latest, isStale);
  const reading = useTargetsReading(place);
  const name = fullName(place);
  const folder = folderHref({ ...place, path: folderOf(place.path) });
  const action = useGuardedVersion({
    place,
    revision: subject.revision,
    act: ({ revision, whole }) =>
      remove.mutateAsync({
        revision:
          whole ??
          [
            revision,
            // Identifies the secret you saw, in case another one is at the path now.
            subject.version?.created_time ?? '',
            ...(metadata === undefined ? [] : [metadata.updated_time, metadata.revision]),
          ].join('@'),
      }),
    onDone: () => {
      withdrawUndo(place);
      toasts.ok({ title: `${name} deleted permanently` });
      onClose(folder);
    },
    onGone: () => {
      toasts.ok({ title: `${name} was already deleted` });
      forgetSecret(queryClient, place);
      onClose(folder);
    },
  });
  return (
    <ConfirmVersions
      place={place}
      action={action}
      title={`Delete ${nameOf(place.path)} permanently?`}
      confirmLabel="Delete permanently"
      impacts={[
        ...losingTargets(reading, 'this secret'),
        ...impactsOf(action.newer === undefined ? metadata : latest),
      ]}
      harm={at.secrets.deleteForever.harm}
      typedName={name}
      onCancel={onClose}
    >
      <p>
        <span className="font-mono text-meta">{name}</span> in {environment.name}, with all its versions,
        settings and custom metadata. None of it goes to the recycle bin.
      </p>
    </ConfirmVersions>
  );
}

/** What is lost; in general words if the metadata isn't loaded or can't be read. */
function impactsOf(
  metadata:
    | {
        readonly versions: readonly { readonly state: 'readable' | 'scheduled' | 'deleted' | 'destroyed' }[];
        readonly custom_metadata: Readonly<Record<string, string>>;
      }
    | undefined,
): readonly Impact[] {
  const breaks = (text: string): Impact => ({ kind: 'breaks', text });
  if (metadata === undefined) {
    return [
      breaks('Programs that read the secret will find nothing.'),
      breaks('All its versions, readable or deleted, are lost permanently.'),
    ];
  }
  const { versions, custom_metadata: custom } = metadata;
  const readable = versions.filter(isReadable).length;
  const deleted = versions.filter(({ state }) => state === 'deleted').length;
  const keys = Object.keys(custom).length;
  return [
    ...(readable > 0
      ? [
          breaks(
            `Programs that read the secret will find nothing: ${countVersions(readable)} that can be read now ${readable === 1 ? 'is' : 'are'} lost permanently.`,
          ),
        ]
      : []),
    ...(deleted > 0
      ? [
          breaks(
            `${countVersions(deleted)} that could be undeleted ${deleted === 1 ? 'is' : 'are'} lost permanently.`,
          ),
        ]
      : []),
    ...(keys > 0
      ? [
          breaks(
            `${keys === 1 ? '1 key' : `${String(keys)} keys`} of custom metadata ${keys === 1 ? 'is' : 'are'} lost.`,
          ),
        ]
      : []),
    {
      kind: 'worth-knowing',
      text: 'A new secret at this path starts with version 1.',
    },
  ];
}
