/** A secret's versions as the timeline shows them: with the time of the next version, and the author if known. */
import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import type { SecretMetadata, VersionSummary } from '@gatehouse/api-types/console/secret-metadata';

export interface VersionRow extends VersionSummary {
  readonly isCurrent: boolean;
  /** When the next version was written; null for the newest, and if the next was pruned. */
  readonly supersededTime: string | null;
  /** Who wrote it through the console, and the version that this restored, if the viewer may know; else null. */
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

/** Actions that write one version; the trail records its number as the revision afterwards. */
const writes: ReadonlySet<string> = new Set([
  'secret.create',
  'secret.update',
  'secret.patch',
  'secret.restore',
]);

/** The maximum difference between the clocks of the console and the server, in ms. */
const clockTolerance = 60_000;
/** More than the time a write may take, in ms. */
const longestWrite = 300_000;

/** The time in which the write of a version began; undefined if the server's time can't be read. */
export function timeOfWrite({ created_time: time }: Pick<VersionSummary, 'created_time'>) {
  const written = Date.parse(time);
  if (Number.isNaN(written)) return undefined;
  return {
    from: new Date(written - clockTolerance - longestWrite).toISOString(),
    // The end is exclusive.
    to: new Date(written + clockTolerance + 1).toISOString(),
  };
}

/**
 * The author of each version, from the audit trail. A deleted and recreated secret starts with version 1 again, so the
 * time must match too.
 */
export function versionAuthors(
  entries: readonly ActivityEntry[],
  versions: readonly Pick<VersionSummary, 'version' | 'created_time'>[],
): ReadonlyMap<number, string> {
  const writtenAt = new Map(versions.map(({ version, created_time: time }) => [String(version), time]));
  const authors = new Map<number, string>();
  for (const entry of entries) {
    const { action, outcome, revision_after: revision, time, outcome_time: end, person, paths } = entry;
    const written = Date.parse((revision === null ? undefined : writtenAt.get(revision)) ?? '');
    const isIts =
      written >= Date.parse(time) - clockTolerance && written <= Date.parse(end ?? time) + clockTolerance;
    const name = person.name || person.login_name;
    if (writes.has(action) && outcome === 'succeeded' && isIts && name !== '') {
      const restored = paths.find((path) => path.startsWith('version='));
      authors.set(
        Number(revision),
        action === 'secret.restore' && restored !== undefined
          ? `${name}, restoring version ${restored.slice('version='.length)}`
          : name,
      );
    }
  }
  return authors;
}

/** The number of versions that no longer exist. */
export function prunedCount({
  versions,
  current_version: current,
}: Pick<SecretMetadata, 'versions' | 'current_version'>): number {
  return Math.max(0, current - versions.length);
}
