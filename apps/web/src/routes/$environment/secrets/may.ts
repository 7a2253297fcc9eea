/** Why an action on a secret isn't possible; undefined if it is, or the server doesn't report capabilities. */
import type { Secret, SecretMay } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';

/** Why the console doesn't write to an unversioned engine. */
export const reasonAgainstUnversioned = "The console doesn't write to unversioned engines.";

const ask = "Your policies don't allow this. Ask an administrator of the secrets server.";

/** Why you can't write a new version from this page. */
export function reasonAgainstEditing(
  { version, revision, may, versioned }: Pick<Secret, 'version' | 'revision' | 'may' | 'versioned'>,
  shown?: number,
): string | undefined {
  if (!versioned) return reasonAgainstUnversioned;
  if (shown !== undefined) return 'This is an older version. Edit the newest, or restore this one.';
  if (may === null) return undefined;
  if (canWrite(may)) return undefined;
  if (revision === unknownRevision) return may.patch ? undefined : ask;
  if (may.patch && (version === null || version.state === 'deleted' || version.state === 'destroyed')) {
    return 'You can only patch fields, and no readable version exists to patch. Undelete a version first.';
  }
  return may.patch ? undefined : ask;
}

/** Whether all fields can be replaced: fields that can't be read would be lost. */
function canWrite(may: SecretMay): boolean {
  return may.update && may.read;
}

/** Why the values can't be read. */
export function reasonAgainstReading(may: SecretMay | null): string | undefined {
  if (may === null || may.read) return undefined;
  return may.read_structure
    ? 'Your policies let you see the names of fields, but not their values.'
    : "Your policies don't let you read its values.";
}

export function reasonAgainstCreating(may: SecretMay | null | undefined): string | undefined {
  return may === null || may === undefined || may.create ? undefined : ask;
}
