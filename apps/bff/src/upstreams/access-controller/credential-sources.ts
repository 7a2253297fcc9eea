import type { Credential, CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { VaultAttributes } from '@gatehouse/api-types/console/vault-store';
import type { BodyOf } from '@gatehouse/api-types/contract';
import { credential, credentialStore } from '@gatehouse/api-types/services/access-controller';
import type { ServiceRequest } from '../transport.ts';
import { newOf, patchOf, plainBodies } from './bodies.ts';
import { collection } from './collection.ts';
import { commonFieldsOf } from './record-wire.ts';

/** The attributes of a Vault store whose controller shows none to the caller. */
export const noVaultAttributes: VaultAttributes = {
  address: '',
  namespace: '',
  ca_cert: '',
  tls_server_name: '',
  tls_skip_verify: false,
  client_certificate: '',
  client_certificate_key_hmac: '',
  token_hmac: '',
  token_status: '',
  token_expiration_time: '',
};

/** /v1/credential-stores */
export const credentialStores = collection({
  kind: 'credential-store',
  container: 'scope_id',
  path: 'credential-stores',
  wire: credentialStore,
  itemOf: (from): CredentialStore => ({
    ...commonFieldsOf(from),
    scope_id: from.scope_id || (from.scope?.id ?? ''),
    ...(from.type === 'vault' && { attributes: from.attributes ?? noVaultAttributes }),
    authorized_collection_actions: from.authorized_collection_actions,
  }),
  ...plainBodies<'credentialStores'>(),
});

const attributeNames = [
  'username',
  'domain',
  'password_hmac',
  'private_key_hmac',
  'private_key_passphrase_hmac',
  'object_hmac',
] as const;

/** /v1/credentials */
export const credentials = collection({
  kind: 'credential',
  container: 'credential_store_id',
  path: 'credentials',
  wire: credential,
  itemOf: (from): Credential => ({
    ...commonFieldsOf(from),
    credential_store_id: from.credential_store_id,
    attributes: Object.fromEntries(
      attributeNames.flatMap((name) => {
        const value = from.attributes?.[name];
        return value === null || value === undefined ? [] : [[name, value]];
      }),
    ),
  }),
  creation: ({ attributes, ...fields }: BodyOf<Endpoints['credentials']['create']>) =>
    withAttributes(newOf(fields), newOf(attributes)),
  change: ({ attributes, ...changes }: BodyOf<Endpoints['credentials']['update']>, version) => {
    const { version: _, ...changed } = patchOf(attributes ?? {}, version);
    return withAttributes(patchOf(changes, version), changed);
  },
});

/** A body that contains the attribute `object`, which is JSON text, exactly as it was written. */
function withAttributes(
  fields: Record<string, unknown>,
  { object, ...attributes }: Record<string, unknown>,
): Pick<ServiceRequest, 'body' | 'text'> {
  if (typeof object !== 'string') {
    return { body: Object.keys(attributes).length === 0 ? fields : { ...fields, attributes } };
  }
  const members = Object.entries(attributes).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const text = [...members, `"object":${object}`].join(',');
  return { text: `${JSON.stringify(fields).slice(0, -1)},"attributes":{${text}}}` };
}
