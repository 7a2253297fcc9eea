/**
 * Wire form of the access controller (spec/1 with the conventions of Boundary), as the BFF reads it. A real
 * controller omits zero values and may answer null for them: every field has its zero value as default.
 */
import * as z from 'zod/mini';

const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value ?? ''),
);
const count = (zero: number) =>
  z.pipe(
    z.nullish(z.int()),
    z.transform((value) => value ?? zero),
  );
const list = <T extends z.ZodMiniType>(item: T) =>
  z.pipe(
    z.nullish(z.array(item)),
    z.transform((value) => value ?? []),
  );
const texts = list(z.string());

export const scopeSummary = z.object({
  id: text,
  type: text,
  name: text,
  description: text,
  parent_scope_id: text,
});

export const scope = z.object({
  id: z.string(),
  type: text,
  name: text,
  description: text,
  scope_id: text,
  version: count(0),
  authorized_actions: texts,
  authorized_collection_actions: z.pipe(
    z.nullish(z.record(z.string(), z.array(z.string()))),
    z.transform((value) => value ?? {}),
  ),
});

export const hostSource = z.object({ id: text, host_catalog_id: text });
export const credentialSource = z.object({
  id: text,
  name: text,
  description: text,
  credential_store_id: text,
  type: text,
  credential_type: text,
});

export const target = z.object({
  id: z.string(),
  scope_id: text,
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
  host_source_ids: texts,
  host_sources: list(hostSource),
  application_credential_source_ids: texts,
  application_credential_sources: list(credentialSource),
  brokered_credential_source_ids: texts,
  brokered_credential_sources: list(credentialSource),
  injected_application_credential_source_ids: texts,
  injected_application_credential_sources: list(credentialSource),
  authorized_actions: texts,
});
export type WireTarget = z.output<typeof target>;

/** One page of a list; `delta` means that more pages follow under `list_token`. */
export const listOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({
    items: list(item),
    response_type: text,
    list_token: text,
    sort_by: text,
    sort_dir: text,
    est_item_count: count(0),
    removed_ids: texts,
  });

export const authMethod = z.object({
  id: z.string(),
  scope_id: text,
  name: text,
  type: text,
  is_primary: z.pipe(
    z.nullish(z.boolean()),
    z.transform((value) => value ?? false),
  ),
});

/** What a password sign-in answers. */
export const authenticated = z.object({
  attributes: z.object({
    id: z.string(),
    token: z.string(),
    user_id: text,
    account_id: text,
    auth_method_id: text,
    expiration_time: text,
  }),
});

export const authToken = z.object({
  id: z.string(),
  user_id: text,
  account_id: text,
  auth_method_id: text,
  expiration_time: text,
});

/** What the embedded controller answers at /health. */
export const health = z.object({ version: z.optional(z.string()) });

export const user = z.object({ id: z.string(), name: text, login_name: text, full_name: text, email: text });

export const errorBody = z.object({
  kind: text,
  message: text,
  details: z.nullish(z.object({ request_fields: list(z.object({ name: text, description: text })) })),
});
