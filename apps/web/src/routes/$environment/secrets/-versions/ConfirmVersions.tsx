import type { Harm } from '@gatehouse/api-types/console/harm';
import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import { Banner } from '@gatehouse/ui/banner';
import { ConfirmDialog, type ConfirmDialogProps } from '@gatehouse/ui/confirm-dialog';
import { Link } from '@gatehouse/ui/link';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { byWhom } from '#components/conflict/author-words.ts';
import type { Author } from '#components/conflict/conflict-state.ts';
import { Time } from '#components/environment/Time.tsx';
import { useLadder } from '#components/guards/use-ladder.ts';
import { nameOf } from '#components/places/secrets.ts';
import { useGuarded, type Guarded } from '#components/record/use-guarded.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, sentencesOf } from '#lib/error-words.ts';
import { staleSecret, type SecretPlace } from '#queries/secrets.ts';

/** The newer version found instead of the one you saw. */
interface NewerVersion extends Author {
  /** Its number as text. */
  readonly revision: string;
  /** With the metadata's revision, if the conflict included it. */
  readonly whole?: string;
  /** Same number as the version you saw: the metadata changed, or the secret was recreated. */
  readonly isSameNumber?: boolean;
}

/** The newer version that a conflict reports. @param seen the version you saw */
function newerVersionOf(conflict: ConflictDetails, seen: string): NewerVersion | undefined {
  const { reason, currentRevision: whole, changedAt, changedBy, isYours } = conflict;
  if (reason !== 'modified' || whole === null) return undefined;
  const [revision = ''] = whole.split('@');
  return { revision, whole, changedAt, changedBy, isYours, isSameNumber: revision === seen };
}

/** An action on the newest version you saw. */
export function useGuardedVersion<Result>({
  place,
  revision,
  ...action
}: {
  place: SecretPlace;
  revision: string;
  act: (seen: NewerVersion) => Promise<Result>;
  onDone: (result: Result, seen: NewerVersion) => void;
  onGone?: () => void;
}): Guarded<NewerVersion> {
  const queryClient = useQueryClient();
  const [seen] = useState(revision);
  return useGuarded<NewerVersion, Result>({
    item: { revision: seen, changedAt: null, changedBy: null },
    ...action,
    newerOf: (conflict) => {
      const found = newerVersionOf(conflict, seen);
      if (found !== undefined) staleSecret(queryClient, place);
      return found;
    },
  });
}

/** Asks before an action on versions of a secret; an action that can be undone runs at once instead. */
export function ConfirmVersions({
  place,
  action: { newer, isPending, error, run },
  compareHref,
  onCancel,
  harm,
  typedName = nameOf(place.path),
  children,
  ...dialog
}: Pick<ConfirmDialogProps, 'title' | 'confirmLabel' | 'tone' | 'impacts' | 'children'> & {
  place: SecretPlace;
  /** The action's harm, as its address declares it. */
  harm?: Harm | undefined;
  /** The name to type if required; by default the secret's. */
  typedName?: string;
  action: Pick<Guarded<NewerVersion>, 'newer' | 'isPending' | 'error' | 'run'>;
  /** Where to compare with the newer version. */
  compareHref?: (newer: NewerVersion) => string;
  onCancel: () => void;
}) {
  const { rung, asks } = useLadder(harm, typedName);
  const isAtOnce = rung === 'undo' && newer === undefined && error === null;
  const hasBegun = useRef(false);
  const begin = useEffectEvent(run);
  useEffect(() => {
    if (!isAtOnce || hasBegun.current) return;
    hasBegun.current = true;
    begin();
  }, [isAtOnce]);
  if (isAtOnce) return null;
  // The banner already shows a newer version.
  const isTold = newer !== undefined && isApiError(error, 'conflict');
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !isPending) onCancel();
      }}
      {...asks}
      isPending={isPending}
      errorTitle={failureTitle(error)}
      error={error === null || isTold ? undefined : sentencesOf(error)}
      onConfirm={run}
    >
      <div className="flex flex-col gap-3">
        {children}
        {newer !== undefined && (
          <NewerVersionBanner
            newer={newer}
            {...(compareHref !== undefined && { compareHref: compareHref(newer) })}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

/** Someone wrote a version since you opened the secret: nothing was done, and you can confirm again. */
function NewerVersionBanner({ newer, compareHref }: { newer: NewerVersion; compareHref?: string }) {
  const { revision, changedAt, isSameNumber = false } = newer;
  return (
    <Banner
      tone="warn"
      announce="alert"
      title={
        isSameNumber
          ? 'This secret has been changed since you opened it'
          : `Version ${revision} has been written since you opened this secret`
      }
      {...(compareHref !== undefined && { actions: <Link href={compareHref}>Compare both versions</Link> })}
    >
      It was {isSameNumber ? 'changed' : 'written'} {byWhom(newer)}
      {changedAt !== null && (
        <>
          {' '}
          <Time value={changedAt} isRelative />
        </>
      )}
      . Your action was not carried out. Confirm again to continue anyway.
    </Banner>
  );
}
