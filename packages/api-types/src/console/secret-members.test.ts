import type { FieldPolicy } from '@gatehouse/record-merge/policy';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { EndpointDefinition } from '../contract.ts';
import { credentialPolicy } from './credential-sources.ts';
import { allEndpoints } from './endpoints.ts';
import { secretMembers } from './secret-members.ts';
import { secretPolicy } from './secrets.ts';
import { vaultStorePolicy } from './vault-store.ts';

/** Members that have been reviewed and are not secrets. Add new ones here or to `secretMembers`. */
const known = new Set(
  `access access_key action actions address addresses again application_credential_source_ids architecture architectures args attributes box boxes
  brokered_credential_source_ids ca_cert ca_file ca_path cas_required checksum checksum_type client_certificate command count create
  created_times credential_mapping_overrides credential_store_id credential_type custom_metadata default_client_port
  default_port default_sts_ttl delete_version_after delivery_method description disabled domain domain_attribute external_id session_tags
  egress_worker_filter email enable_session_recording environment existing fields filter fingerprint folder folders force from
  full_name host_catalog_id host_id host_ids host_source_ids http_method http_request_body iam_endpoint
  iam_groups iam_tags id ids increment ingress_worker_filter injected_application_credential_source_ids is_default is_private
  item items kind last_modified lease lease_id lease_ids lease_max links login_name max_retries max_sts_ttl max_versions message
  method mode modules mount mounts name namespace oci_image organization_creators owners password_attribute path paths
  permissions_boundary_arn phone plugin plugin_version policy_arns policy_document primary privacy
  primary_api_addr primary_cluster_addr private_key_attribute
  private_key_passphrase_attribute profile providers readable region replacement revision role role_arn
  role_arns role_session_name roles runtime said scope_id scope_name secondary
  secondary_public_key secrets service session_connection_limit
  session_max_seconds sha256 short_description size source state storage_bucket_id sts_endpoint tls_server_name
  tls_skip_verify to token_hash ttl type up_to url user_path username username_attribute verified version versions wanted
  worker_filter`.split(/\s+/),
);

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/** The names of all members of a schema, at any depth. */
function membersOf(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = ({ properties = {}, items, additionalProperties, ...rest }: JsonSchema): void => {
    for (const [name, member] of Object.entries(properties)) {
      names.add(name);
      walk(member);
    }
    const more = [...(rest.anyOf ?? []), ...(rest.oneOf ?? []), ...(rest.allOf ?? [])];
    if (items !== undefined) more.push(items);
    if (typeof additionalProperties === 'object') more.push(additionalProperties);
    for (const one of more) walk(one);
  };
  walk(schema);
  return names;
}

const everyOperation = allEndpoints.map((endpoint): [string, EndpointDefinition] => [
  endpoint.name,
  endpoint,
]);
const jsonOf = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
const inBodies = new Set(
  everyOperation.flatMap(([, { body }]) => (body === undefined ? [] : [...membersOf(jsonOf(body, 'input'))])),
);

test('lists every body member as either a secret or reviewed', () => {
  const undeclared = everyOperation.flatMap(([operation, { body }]) =>
    body === undefined
      ? []
      : [...membersOf(jsonOf(body, 'input'))]
          .filter((name) => secretMembers.has(name) === known.has(name))
          .map((name) => `${operation}: ${name}`),
  );
  expect(undeclared, 'Declare it with asSecret, or add it to known.').toEqual([]);
  expect([...secretMembers, ...known].filter((name) => !inBodies.has(name))).toEqual([]);
});

test('declares members whose answers only have an HMAC as secrets', () => {
  const told = everyOperation.flatMap(([, { response }]) =>
    response === undefined ? [] : [...membersOf(jsonOf(response, 'output'))],
  );
  const hidden = [...new Set(told)].filter((name) => name.endsWith('_hmac')).map((name) => name.slice(0, -5));
  expect(hidden).toContain('client_certificate_key');
  expect(hidden.filter((name) => !secretMembers.has(name))).toEqual([]);
});

test('declares members that merge without being shown as secrets', () => {
  const opaque = (policy: FieldPolicy, name: string): string[] =>
    policy.kind === 'record'
      ? Object.entries(policy.fields).flatMap(([field, inner]) => opaque(inner, field))
      : policy.kind === 'map'
        ? opaque(policy.values, name)
        : policy.kind === 'opaque'
          ? [name]
          : [];
  const merged = [credentialPolicy, vaultStorePolicy, secretPolicy].flatMap((policy) => opaque(policy, ''));
  const values = merged.filter((name) => !name.endsWith('_hmac'));
  expect(values).toContain('token');
  expect(values.filter((name) => !secretMembers.has(name))).toEqual([]);
});
