/**
 * A stored secret never follows a changed destination. The embedded controller refuses that itself; a real one keeps the
 * token of a store whose address is changed, and sends it there.
 */
import type {
  CredentialStore,
  CredentialStoreChanges,
} from '@gatehouse/api-types/console/credential-sources';
import { giveAgainWords, secretsToGiveAgain } from '@gatehouse/api-types/console/vault-store';
import { ProblemError } from '#ground/problem.ts';
import { noVaultAttributes } from '#upstreams/access-controller/credential-sources.ts';

/**
 * Judges changes of a credential store by what is stored; undefined where they set nothing of a connection.
 * @throws ProblemError `invalid-request` on `attributes.token` and `attributes.client_certificate_key`, from what it answers
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
