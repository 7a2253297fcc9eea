/** The versions of a secret as the timeline shows them: with what followed on each, and who wrote it where that is known. */
import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import type { SecretMetadata, VersionSummary } from '@gatehouse/api-types/console/secret-metadata';

export interface VersionRow extends VersionSummary {
  readonly isCurrent: boolean;
  /** When the next version was written; null of the newest, and where the next was pruned. */
  readonly supersededTime: string | null;
  /** Who wrote it through the console, as far as the viewer may know; null where it is not known. */
  readonly author: string | null;
}

/** Newest first. */
export function versionRows(
  { versions, current_version: current }: Pick<SecretMetadata, 'versions' | 'current_version'>,
  authors: ReadonlyMap<number, string>,
): readonly VersionRow[] {
  const writtenAt = new Map(versions.map(({ version, created_time: time }) => [version, time]));
  return versions.map((version) => ({
    ...version,
    isCurrent: version.version === current,
    supersededTime: writtenAt.get(version.version + 1) ?? null,
    author: authors.get(version.version) ?? null,
  }));
}

/** Actions that write one version, whose number the trail keeps as the revision afterwards. */
const writes: ReadonlySet<string> = new Set([
  'secret.create',
  'secret.update',
  'secret.patch',
  'secret.restore',
]);

/** How far the clocks of the console and of the server may differ, in ms. */
const clockTolerance = 60_000;

/**
 * Who wrote which version, from the audit trail. A number alone does not tell: a secret that was removed and created again
 * begins with version 1 again, so the time has to fit too.
 */
export function versionAuthors(
  entries: readonly ActivityEntry[],
  versions: readonly VersionSummary[],
): ReadonlyMap<number, string> {
  const writtenAt = new Map(versions.map(({ version, created_time: time }) => [String(version), time]));
  const authors = new Map<number, string>();
  for (const entry of entries) {
    const { action, outcome, revision_after: revision, time, outcome_time: end, person } = entry;
    const written = Date.parse((revision === null ? undefined : writtenAt.get(revision)) ?? '');
    const isIts =
      written >= Date.parse(time) - clockTolerance && written <= Date.parse(end ?? time) + clockTolerance;
    const name = person.name || person.login_name;
    if (writes.has(action) && outcome === 'succeeded' && isIts && name !== '') {
      authors.set(Number(revision), name);
    }
  }
  return authors;
}

/** Versions that existed and are no longer kept: how many are missing below the oldest, and in between. */
export function prunedCount({
  versions,
  current_version: current,
}: Pick<SecretMetadata, 'versions' | 'current_version'>): number {
  return Math.max(0, current - versions.length);
}
