/** What a guarded change of a secret found in the place of what the person saw. */
import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import { useQueryClient } from '@tanstack/react-query';
import { useGuarded, type Guarded } from '#components/record/use-guarded.ts';
import { staleSecret, type SecretPlace } from '#queries/secrets.ts';

export interface NewerVersion {
  /** Its number as a text. */
  readonly revision: string;
  /** RFC 3339; null where it is not known. */
  readonly changedAt: string | null;
  readonly changedBy: string | null;
}

/** The newer version that a conflict names. */
function newerVersionOf(conflict: ConflictDetails): NewerVersion | undefined {
  const { reason, currentRevision: revision, changedAt, changedBy } = conflict;
  return reason === 'modified' && revision !== null ? { revision, changedAt, changedBy } : undefined;
}

/** Something that is done to the newest version of a secret that the person saw. */
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
  return useGuarded<NewerVersion, Result>({
    item: { revision, changedAt: null, changedBy: null },
    ...action,
    newerOf: (conflict) => {
      const found = newerVersionOf(conflict);
      if (found !== undefined) staleSecret(queryClient, place);
      return found;
    },
  });
}
