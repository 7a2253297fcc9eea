import { defaultSessionMaxSeconds, unlimitedConnections } from '@gatehouse/api-types/console/target-values';
import type { Target } from '@gatehouse/api-types/console/targets';
import type { WireTarget } from '@gatehouse/api-types/services/access-controller';

/** The contract's form of a target. Zero values, which a controller may leave out, become their defaults. */
export function targetOf(from: WireTarget): Target {
  const attributes = from.attributes ?? {};
  return {
    id: from.id,
    revision: String(from.version),
    scope_id: from.scope_id,
    scope: from.scope ?? { id: from.scope_id, type: '', name: '', description: '', parent_scope_id: '' },
    type: from.type,
    name: from.name,
    description: from.description,
    created_time: from.created_time,
    updated_time: from.updated_time,
    address: from.address,
    session_max_seconds: from.session_max_seconds || defaultSessionMaxSeconds,
    session_connection_limit: from.session_connection_limit || unlimitedConnections,
    worker_filter: from.worker_filter,
    egress_worker_filter: from.egress_worker_filter,
    ingress_worker_filter: from.ingress_worker_filter,
    attributes: {
      default_port: attributes.default_port || null,
      default_client_port: attributes.default_client_port || null,
      ...(from.type === 'ssh' && {
        storage_bucket_id: attributes.storage_bucket_id ?? '',
        enable_session_recording: attributes.enable_session_recording ?? false,
      }),
    },
    host_source_ids: from.host_source_ids,
    host_sources: from.host_sources,
    application_credential_source_ids: from.application_credential_source_ids ?? [],
    application_credential_sources: from.application_credential_sources,
    brokered_credential_source_ids: from.brokered_credential_source_ids,
    brokered_credential_sources: from.brokered_credential_sources,
    injected_application_credential_source_ids: from.injected_application_credential_source_ids,
    injected_application_credential_sources: from.injected_application_credential_sources,
    authorized_actions: from.authorized_actions,
  };
}
