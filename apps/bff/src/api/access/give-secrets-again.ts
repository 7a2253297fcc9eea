/**
 * A stored secret must not be sent to a changed destination. The embedded controller refuses such changes, but a
 * Boundary keeps the token of a store whose address changes and sends it to the new address.
 */
import type {
  CredentialStore,
  CredentialStoreChanges,
} from '@gatehouse/api-types/console/credential-sources';
import { giveAgainWords, secretsToGiveAgain } from '@gatehouse/api-types/console/vault-store';
import { ProblemError } from '#ground/problem.ts';
import { noVaultAttributes } from '#upstreams/access-controller/credential-sources.ts';

/**
 * Returns a check of changes against the stored record; undefined if they leave the connection alone.
 * @throws ProblemError from the check: `invalid-request` for `attributes.token` and `attributes.client_certificate_key`
 */
export function giveSecretsAgain({
  attributes,
}: CredentialStoreChanges): ((stored: CredentialStore) => void) | undefined {
  const { token: _, client_certificate_key: __, ...connection } = attributes ?? {};
  if (attributes === undefined || Object.keys(connection).length === 0) return undefined;
  return (stored) => {
    const needed = secretsToGiveAgain(stored.attributes ?? noVaultAttributes, attributes).filter(
      (name) => (attributes[name] ?? '').trim() === '',
    );
    if (needed.length === 0) return;
    throw new ProblemError('invalid-request', "Enter the store's secrets again to change its connection.", {
      fields: needed.map((name) => ({ path: `attributes.${name}`, message: giveAgainWords[name] })),
    });
  };
}
