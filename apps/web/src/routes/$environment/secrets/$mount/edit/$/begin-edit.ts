import type { Secret, SecretVersion } from '@gatehouse/api-types/console/secrets';
import { isApiError } from '#lib/api-error.ts';
import { readValues, type SecretPlace } from '#queries/secrets.ts';
import {
  unseenValues,
  valuesOfData,
  type SecretValues,
} from '#routes/$environment/secrets/-fields/secret-values.ts';

/** What an edit begins with. */
export interface EditStart {
  readonly values: SecretValues;
  /** The newest version's number as a text; `0` where there is none; `unknownRevision`. */
  readonly revision: string;
  /** The data as it is stored; null where there is none, or it may not be read. */
  readonly text: string | null;
  /** Values may not be read: they can only be set. */
  readonly isWriteOnly: boolean;
  /** Nor may the names of fields: they are typed. */
  readonly isBlind: boolean;
}

/**
 * Reads the newest version's values to be edited, which is recorded; where they may not be read, the names of the
 * fields do.
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
    // A server that does not tell what one may do: trying is the only way to know.
    if (secret.may === null && secret.version.structure !== null && isApiError(error, 'forbidden'))
      return blind;
    throw error;
  }
}

/** The start of an edit over a version that was read. */
function startOf({ data, revision }: SecretVersion, empty: EditStart): EditStart {
  return data === null
    ? { ...empty, revision }
    : { ...empty, values: valuesOfData(data), revision, text: data };
}
