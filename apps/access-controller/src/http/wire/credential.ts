import type { AttributesChange } from '../../domain/credential/change.ts';
import { credentialForms } from '../../domain/credential/credential.ts';
import type { Credential, CredentialType } from '../../domain/credential/credential.ts';
import type { FieldFaults } from '../../domain/refusal.ts';
import type { JsonObject } from '../body.ts';
import { readAttributes } from './attributes.ts';
import { wireResource } from './resource.ts';
import type { WireScopeSummary } from './scope.ts';

/** The wire form of a credential. Instead of its secrets it has keyed hashes, which show only whether they change. */
export function wireCredential(
  credential: Credential,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  const hmacs = Object.entries(credential.fingerprints).map(
    ([name, hmac]) => [`${name}_hmac`, hmac] as const,
  );
  return {
    ...wireResource(credential, scope),
    credential_store_id: credential.storeId,
    type: credential.type,
    attributes: { ...credential.plain, ...Object.fromEntries(hmacs) },
    authorized_actions: actions,
  };
}

/** Reads the attributes that a body sets, and adds their faults. */
export function readCredentialAttributes(
  body: JsonObject,
  type: CredentialType,
  faults: FieldFaults,
): AttributesChange {
  const { plain, secret } = credentialForms[type];
  const members = readAttributes(body, [...plain, ...secret], faults);
  return Object.fromEntries(
    [...plain, ...secret].map((name) => [
      name,
      name === 'object' ? members.object(name) : members.string(name),
    ]),
  );
}
