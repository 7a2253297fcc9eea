import type { SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import type { SecretMay } from '@gatehouse/api-types/console/secrets';

const ask = 'Ask an operator of the secrets server.';

/** Why the metadata of a secret cannot be changed; undefined where it can, or where the server does not tell. */
export function reasonAgainstMetadata(may: SecretMay | null): string | undefined {
  return may === null || may.write_metadata || may.patch_metadata
    ? undefined
    : `Your policies don't let you change the metadata. ${ask}`;
}

/** Why the settings of an engine cannot be changed; undefined where they can, or where the server does not tell. */
export function reasonAgainstEngine(may: SecretEngine['may']): string | undefined {
  return may === null || may.change
    ? undefined
    : `Your policies don't let you change this engine's settings. ${ask}`;
}
