import { newId } from '@gatehouse/service-kit/ids';
import {
  changedContent,
  checkAttributesChange,
  checkNewAttributes,
  newContent,
} from '../../domain/credential/change.ts';
import { credentialPrefixes, credentialTypes } from '../../domain/credential/credential.ts';
import type { Credential, CredentialType } from '../../domain/credential/credential.ts';
import { credentialStorePrefixes } from '../../domain/credential/store.ts';
import { changedLabel } from '../../domain/label.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { MemberReader, isEmptyChange } from '../body.ts';
import type { JsonObject } from '../body.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readCredentialAttributes, wireCredential } from '../wire/credential.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkSameType } from '../wire/static-type.ts';

/** /v1/credentials. Secrets are accepted but never returned. */
export const credentials: ResourceKind<Credential> = {
  type: 'credential',
  prefixes: Object.values(credentialPrefixes),
  container: {
    field: 'credential_store_id',
    prefix: credentialStorePrefixes.static,
    projectOf: (context, id) => context.credentialStores.get(id)?.projectId,
  },
  store: (context) => context.credentials,
  readNew(context, body, faults) {
    const given = readType(body, faults);
    const label = readNewLabel(body, faults);
    const attributes = given === undefined ? {} : readCredentialAttributes(body, given, faults);
    if (given !== undefined) checkNewAttributes(given, attributes, faults);
    // An unknown type has added a fault already, so the result isn't used.
    const type = given ?? 'password';
    return ({ containerId: storeId, ...fresh }) => {
      const id = newId(credentialPrefixes[type]);
      return { ...fresh, ...label, id, storeId, type, ...newContent(id, type, attributes, context.vault) };
    };
  },
  readChange(context, id, body, faults) {
    const type = typeOf(id);
    checkSameType(body, type, faults);
    const label = readLabelChange(body, faults);
    const attributes = readCredentialAttributes(body, type, faults);
    checkAttributesChange(attributes, faults);
    if (isEmptyChange({ ...label, ...attributes })) return undefined;
    return (current) => ({
      ...current,
      ...changedLabel(current, label, new FieldFaults()),
      ...changedContent(current, attributes, context.vault),
    });
  },
  toWire(context, role) {
    const scopeOf = scopeSummaries(context.scopes);
    return (credential) =>
      wireCredential(credential, scopeOf(credential.projectId), allowedOn('credential', role));
  },
};

function readType(body: JsonObject, faults: FieldFaults): CredentialType | undefined {
  const given = new MemberReader(body, faults).string('type') ?? '';
  const type = credentialTypes.find((known) => known === given);
  if (type === undefined)
    faults.add('type', given === '' ? 'This is a required field.' : 'Unknown type provided.');
  return type;
}

/** The type of a credential, from the prefix of its ID. @param id well-formed */
function typeOf(id: string): CredentialType {
  return credentialTypes.find((type) => id.startsWith(`${credentialPrefixes[type]}_`)) ?? 'password';
}
