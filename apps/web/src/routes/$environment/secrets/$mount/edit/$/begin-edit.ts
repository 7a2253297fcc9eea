import type { Secret, SecretVersion } from '@gatehouse/api-types/console/secrets';
import { isApiError } from '#lib/api-error.ts';
import { readValues, type SecretPlace } from '#queries/secrets.ts';
import {
  unseenValues,
  valuesOfData,
  type SecretValues,
} from '#routes/$environment/secrets/-fields/secret-values.ts';

/** The state when an edit begins. */
export interface EditStart {
  readonly values: SecretValues;
  /** The newest version's number as text; `0` if no version exists; `unknownRevision` if it can't be seen. */
  readonly revision: string;
  /** The stored data; null if none exists or it can't be read. */
  readonly text: string | null;
  /** Values can't be read, only set. */
  readonly isWriteOnly: boolean;
  /** Field names can't be read either; you type them. */
  readonly isBlind: boolean;
}

/**
 * Reads the newest version's values for an edit, which is recorded in the audit trail. If values can't be read, the
 * edit starts with field names only.
 * @throws ApiError
 */
export async function beginEdit(place: SecretPlace, secret: Secret): Promise<EditStart> {
  const blind: EditStart = {
    values: unseenValues(secret.version?.structure ?? null),
    revision: secret.revision,
    text: null,
    isWriteOnly: true,
    isBlind: (secret.version?.structure ?? null) === null,
  };
  if (secret.may !== null && !secret.may.read) return blind;
  const empty: EditStart = {
    values: { data: {} },
    revision: secret.revision,
    text: null,
    isWriteOnly: false,
    isBlind: false,
  };
  if (secret.version === null || secret.version.state === 'deleted' || secret.version.state === 'destroyed') {
    return empty;
  }
  try {
    return startOf(await readValues(place), empty);
  } catch (error) {
    // Without reported capabilities, only an attempt shows whether values can be read.
    if (secret.may === null && secret.version.structure !== null && isApiError(error, 'forbidden'))
      return blind;
    throw error;
  }
}

/** The start of an edit of this version. */
function startOf({ data, revision }: SecretVersion, empty: EditStart): EditStart {
  return data === null
    ? { ...empty, revision }
    : { ...empty, values: valuesOfData(data), revision, text: data };
}
