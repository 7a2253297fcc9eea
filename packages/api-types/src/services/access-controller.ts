/**
 * Wire format of the access controller (spec/1 with Boundary's conventions) as the BFF reads it. A real controller
 * omits zero values or sends null, so every field defaults to its zero value.
 */
import * as z from 'zod/mini';
import {
  flagField as flag,
  headText,
  idField,
  idText,
  listOf as list,
  textField as text,
  withDefault,
} from './fields.ts';

const count = (zero: number) => withDefault(z.int(), zero);
const texts = list(z.string());
const idTexts = list(idField);
const collectionActions = z.pipe(
  z.nullish(z.record(z.string(), z.array(z.string()))),
  z.transform((value) => value ?? {}),
);

export const scopeSummary = z.object({
  id: idText,
  type: text,
  name: text,
  description: text,
  parent_scope_id: idText,
});

export const scope = z.object({
  id: idField,
  type: text,
  name: text,
  description: text,
  scope_id: idText,
  version: count(0),
  authorized_actions: texts,
  authorized_collection_actions: collectionActions,
});

export const hostSource = z.object({ id: idText, host_catalog_id: idText });
export const credentialSource = z.object({
  id: idText,
  name: text,
  description: text,
  credential_store_id: idText,
  type: text,
  credential_type: text,
});

export const target = z.object({
  id: idField,
  scope_id: idText,
  scope: z.optional(scopeSummary),
  name: text,
  description: text,
  created_time: text,
  updated_time: text,
  version: count(0),
  type: text,
  address: text,
  session_max_seconds: count(0),
  session_connection_limit: count(0),
  worker_filter: text,
  egress_worker_filter: text,
  ingress_worker_filter: text,
  attributes: z.nullish(
    z.object({
      default_port: z.nullish(z.int()),
      default_client_port: z.nullish(z.int()),
      storage_bucket_id: z.nullish(z.string()),
      enable_session_recording: z.nullish(z.boolean()),
    }),
  ),
  host_source_ids: idTexts,
  host_sources: list(hostSource),
  /** Absent if the controller doesn't support this kind (since v0.13). */
  application_credential_source_ids: z.nullish(z.array(idField)),
  application_credential_sources: list(credentialSource),
  brokered_credential_source_ids: idTexts,
  brokered_credential_sources: list(credentialSource),
  injected_application_credential_source_ids: idTexts,
  injected_application_credential_sources: list(credentialSource),
  authorized_actions: texts,
});
export type WireTarget = z.output<typeof target>;

/** One page of a list; `delta` means that more pages follow under `list_token`. */
export const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({
    items: list(item),
    response_type: text,
    list_token: withDefault(headText, ''),
    sort_by: text,
    sort_dir: text,
    est_item_count: count(0),
    removed_ids: idTexts,
  });

export const authMethod = z.object({
  id: idField,
  scope_id: idText,
  name: text,
  type: text,
  is_primary: flag,
});

/** The answer to a password sign-in. */
export const authenticated = z.object({
  attributes: z.object({
    id: idField,
    token: headText.check(z.minLength(1)),
    user_id: idText,
    account_id: idText,
    auth_method_id: idText,
    expiration_time: text,
  }),
});

export const authToken = z.object({
  id: idField,
  user_id: idText,
  account_id: idText,
  auth_method_id: idText,
  expiration_time: text,
});

/** The embedded controller's answer at /health. */
export const health = z.object({ version: z.optional(z.string()) });

/** Fields of every resource in a project. */
const resource = {
  id: idField,
  scope_id: idText,
  scope: z.optional(scopeSummary),
  name: text,
  description: text,
  created_time: text,
  updated_time: text,
  version: count(0),
  type: text,
  authorized_actions: texts,
};

export const hostCatalog = z.object({ ...resource, authorized_collection_actions: collectionActions });
export const hostSet = z.object({ ...resource, host_catalog_id: idText, host_ids: idTexts });
export const host = z.object({
  ...resource,
  host_catalog_id: idText,
  attributes: z.nullish(z.object({ address: text })),
  host_set_ids: idTexts,
});
export const credentialStore = z.object({
  ...resource,
  /** For a store of type vault. Only the embedded controller has `token_expiration_time`. */
  attributes: z.nullish(
    z.object({
      address: text,
      namespace: text,
      ca_cert: text,
      tls_server_name: text,
      tls_skip_verify: flag,
      client_certificate: text,
      client_certificate_key_hmac: text,
      token_hmac: text,
      token_status: text,
      token_expiration_time: text,
    }),
  ),
  authorized_collection_actions: collectionActions,
});
export const credentialLibrary = z.object({
  ...resource,
  credential_store_id: idText,
  attributes: z.nullish(z.object({ path: text, http_method: text, http_request_body: text })),
  credential_type: text,
  credential_mapping_overrides: z.nullish(z.record(z.string(), z.unknown())),
});
export const credential = z.object({
  ...resource,
  credential_store_id: idText,
  attributes: z.nullish(
    z.object({
      username: z.nullish(z.string()),
      domain: z.nullish(z.string()),
      password_hmac: z.nullish(z.string()),
      private_key_hmac: z.nullish(z.string()),
      private_key_passphrase_hmac: z.nullish(z.string()),
      object_hmac: z.nullish(z.string()),
    }),
  ),
});

const limit = z.pipe(
  z.nullish(z.int()),
  z.transform((value) => value ?? null),
);

export const session = z.object({
  ...resource,
  target_id: idText,
  user_id: idText,
  host_id: idText,
  host_set_id: idText,
  endpoint: text,
  status: text,
  states: list(z.object({ status: text, start_time: text, end_time: text })),
  expiration_time: text,
  termination_reason: text,
  connection_limit: limit,
});

const anyObject = z.pipe(
  z.nullish(z.record(z.string(), z.unknown())),
  z.transform((value) => value ?? null),
);

export const sessionAuthorization = z.object({
  session_id: idField,
  target_id: idText,
  scope: z.optional(scopeSummary),
  created_time: text,
  user_id: idText,
  host_set_id: idText,
  host_id: idText,
  type: text,
  authorization_token: text,
  connection_limit: limit,
  endpoint: text,
  endpoint_port: limit,
  expiration: text,
  credentials: list(
    z.object({
      credential_source: z.optional(credentialSource),
      secret: z.nullish(z.object({ raw: text, decoded: anyObject })),
      credential: anyObject,
    }),
  ),
});

const role = z.nullish(z.enum(['administrator', 'operator', 'read-only']));

export const user = z.object({
  ...resource,
  login_name: text,
  full_name: text,
  email: text,
  primary_account_id: idText,
  account_ids: idTexts,
  /** Only the embedded controller: people can be disabled, and have a role in each service. */
  disabled: flag,
  roles: z.nullish(z.object({ access: role, secrets: role, boxes: role, modules: role })),
});

export const account = z.object({ id: idField, version: count(0), authorized_actions: texts });

export const errorBody = z.object({
  kind: text,
  message: text,
  details: z.nullish(
    z.object({
      request_fields: list(z.object({ name: text, description: text })),
      /** Only the embedded controller: the library that provided no credential. */
      credential_source: z.nullish(z.object({ id: idText, credential_store_id: idText, reason: text })),
    }),
  ),
});
