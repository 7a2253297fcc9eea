import type { FileEntry } from '@gatehouse/api-types/console/secret-files';
import { ErrorState } from '@gatehouse/ui/error-state';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { FileInput, Lock } from 'lucide-react';
import { useState } from 'react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { StepPlace } from '#components/layout/StepPlace.tsx';
import { crumbsOf, folderHref, fullName, nameOf } from '#components/places/secrets.ts';
import { capabilitiesQuery } from '#queries/secrets.ts';
import { reasonAgainstCreating } from '#routes/$environment/secrets/may.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { ImportReview } from './ImportReview.tsx';
import { ImportSource } from './ImportSource.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/import/$/')({ component: ImportPage });

/** Imports a file or pasted text into a folder: first a preview of the change to each secret, then step by step. */
function ImportPage() {
  const place = useSecretPlace();
  // Values stay only in memory, until they are written or you leave the page.
  const [entries, setEntries] = useState<readonly FileEntry[]>();
  const name = place.path === '' ? place.mount : nameOf(place.path);
  const may = useQuery(capabilitiesQuery(place));
  const ancestors = [...crumbsOf(place), { id: 'here', label: name, href: folderHref(place) }];
  usePageTitle(`Import into ${fullName(place)}`);
  const cannotWrite = may.data?.update === true ? undefined : reasonAgainstCreating(may.data);
  if (cannotWrite !== undefined) {
    return (
      <>
        <PageHeader icon={FileInput} title="Import" ancestors={ancestors} />
        <ErrorState
          icon={Lock}
          title="You can't import secrets here"
          why={cannotWrite}
          action={<LinkButton href={folderHref(place)}>Go to the folder</LinkButton>}
        />
      </>
    );
  }
  return (
    <>
      <PageHeader icon={FileInput} title="Import" ancestors={ancestors} />
      <StepPlace
        label={entries === undefined ? 'What to import' : 'Review'}
        className="flex min-h-0 flex-1 flex-col"
      >
        {/* Kept during the review for the Back button. */}
        <div hidden={entries !== undefined} className="min-h-0 flex-1 overflow-y-auto">
          <ImportSource place={place} onRead={setEntries} />
        </div>
        {entries !== undefined && (
          <ImportReview
            place={place}
            entries={entries}
            onBack={() => {
              setEntries(undefined);
            }}
          />
        )}
      </StepPlace>
    </>
  );
}
