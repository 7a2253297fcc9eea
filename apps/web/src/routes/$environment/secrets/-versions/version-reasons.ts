/** Why an action on versions isn't possible; undefined if it is, or the server doesn't report capabilities. */
import type { Secret, SecretMay } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import type { VersionRow } from './version-rows.ts';
import { isReadable, versionsInWords } from './version-words.ts';

type May = SecretMay | null;
type Row = Pick<VersionRow, 'version' | 'state' | 'isCurrent'>;

const notAllowed = (what: string): string =>
  `Your policies don't let you ${what} versions. Ask an administrator of the secrets server.`;
const versionHidden =
  "Your policies hide the newest version, so the console can't check what would be deleted.";
const noneChosen = 'Choose versions first.';

export function reasonAgainstComparing(rows: readonly Row[]): string | undefined {
  if (rows.length !== 2) return 'Choose two versions. Space selects the focused one.';
  const gone = rows.filter((row) => !isReadable(row)).map(({ version }) => version);
  return gone.length === 0 ? undefined : `No values can be read from ${versionsInWords(gone)}.`;
}

export function reasonAgainstRestoring(row: Row, may: May): string | undefined {
  if (row.isCurrent) return 'This is the current version.';
  if (row.state === 'deleted') return 'This version is deleted. Undelete it first.';
  if (row.state === 'destroyed') return 'The values of this version were destroyed.';
  if (may !== null && !may.read) return "Your policies don't let you read its values.";
  return may === null || may.update ? undefined : notAllowed('create new');
}

export function reasonAgainstDeleting(rows: readonly Row[], may: May): string | undefined {
  if (rows.length === 0) return noneChosen;
  if (!rows.some(isReadable)) return 'Only readable versions can be deleted.';
  return may === null || may.delete_versions ? undefined : notAllowed('delete');
}

export function reasonAgainstUndeleting(rows: readonly Row[], may: May): string | undefined {
  if (rows.length === 0) return noneChosen;
  if (!rows.some(({ state }) => state === 'deleted')) return 'Only deleted versions can be undeleted.';
  return may === null || may.undelete ? undefined : notAllowed('undelete');
}

export function reasonAgainstDestroying(rows: readonly Row[], may: May): string | undefined {
  if (rows.length === 0) return noneChosen;
  if (rows.every(({ state }) => state === 'destroyed')) return 'The values are already destroyed.';
  return may === null || may.destroy ? undefined : notAllowed('destroy');
}

export function reasonAgainstDeletingNewest({ version, revision, may }: Secret): string | undefined {
  if (revision === '0') return 'This secret has no versions.';
  if (revision === unknownRevision) return versionHidden;
  // While an older version is shown, the newest version's state is unknown.
  if (version !== null && String(version.version) === revision && !isReadable(version)) {
    return `The newest version is already ${version.state}.`;
  }
  return may === null || may.delete ? undefined : notAllowed('delete');
}

export function reasonAgainstDeletingForever({
  may,
  revision,
}: Pick<Secret, 'may' | 'revision'>): string | undefined {
  if (revision === unknownRevision) return versionHidden;
  return may === null || may.delete_forever
    ? undefined
    : "Your policies don't let you delete this secret. Ask an administrator of the secrets server.";
}
