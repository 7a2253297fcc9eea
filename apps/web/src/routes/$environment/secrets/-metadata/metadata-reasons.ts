import type { SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import type { SecretMay } from '@gatehouse/api-types/console/secrets';

const ask = 'Ask an administrator of the secrets server.';

/** Why a secret's metadata can't be edited; undefined if it can, or the server doesn't report capabilities. */
export function reasonAgainstMetadata(may: SecretMay | null): string | undefined {
  return may === null || may.write_metadata || may.patch_metadata
    ? undefined
    : `Your policies don't let you change the metadata. ${ask}`;
}

/** Why an engine's settings can't be edited; undefined if they can, or the server doesn't report capabilities. */
export function reasonAgainstEngine(may: SecretEngine['may']): string | undefined {
  return may === null || may.change
    ? undefined
    : `Your policies don't let you change this engine's settings. ${ask}`;
}

/** Why an engine's description can't be edited; undefined if it can. */
export function reasonAgainstDescribing({ description, may }: SecretEngine): string | undefined {
  if (description === null) return "The secrets server doesn't show you this engine's description.";
  return may?.describe === false ? `Your policies don't let you change the description. ${ask}` : undefined;
}
