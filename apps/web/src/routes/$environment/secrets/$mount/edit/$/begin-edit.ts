import type { Secret } from '@gatehouse/api-types/console/secrets';
import { unseenValues, type SecretValues } from '#routes/$environment/secrets/-fields/secret-values.ts';

/** The state when an edit begins: no value is read before you reveal it. */
export interface EditStart {
  readonly values: SecretValues;
  /** The newest version's number as text; `0` if no version exists; `unknownRevision` if it can't be seen. */
  readonly revision: string;
  /** The stored data with null for every value; null if it can't be read or doesn't exist. */
  readonly structure: string | null;
  /** No readable version exists, so nothing is stored that a save could change. */
  readonly isEmpty: boolean;
  /** Values can be read. */
  readonly canRead: boolean;
  /** Field names can't be read either; you type them. */
  readonly isBlind: boolean;
}

/** An edit of the newest version. */
export function beginEdit({ version, revision, may }: Secret): EditStart {
  const structure = version?.structure ?? null;
  const isGone = version === null || version.state === 'deleted' || version.state === 'destroyed';
  // Without reported capabilities, a version whose names were read is taken to be readable.
  const canRead = may === null ? structure !== null || isGone : may.read;
  const isEmpty = canRead && isGone;
  return {
    values: unseenValues(isEmpty ? null : structure),
    revision,
    structure,
    isEmpty,
    canRead,
    isBlind: structure === null && !isEmpty,
  };
}
