/** What a guarded change of a secret found in the place of what the person saw. */
import { isApiError } from '#lib/api-error.ts';

export interface NewerVersion {
  /** Its number as a text. */
  readonly revision: string;
  /** RFC 3339; null where it is not known. */
  readonly changedAt: string | null;
  readonly changedBy: string | null;
}

/** The newer version that a conflict names; undefined of any other failure. */
export function newerVersionOf(error: unknown): NewerVersion | undefined {
  const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
  if (conflict?.reason !== 'modified' || conflict.currentRevision === null) return undefined;
  const { currentRevision: revision, changedAt, changedBy } = conflict;
  return { revision, changedAt, changedBy };
}

/** True where a change found nothing any more: somebody else removed the whole secret. */
export function isGone(error: unknown): boolean {
  return (
    isApiError(error, 'not-found') ||
    (isApiError(error, 'conflict') && error.problem?.conflict?.reason === 'deleted')
  );
}
