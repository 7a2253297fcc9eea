import type { Target } from '@gatehouse/api-types/console/targets';

/** A TCP target for tests. */
export function testTarget(given: Partial<Target> = {}): Target {
  return {
    id: 'ttcp_1234567890',
    revision: '1',
    scope_id: 'p_1234567890',
    scope: {
      id: 'p_1234567890',
      type: 'project',
      name: 'p',
      description: '',
      parent_scope_id: 'o_1234567890',
    },
    type: 'tcp',
    name: 'db',
    description: '',
    created_time: '2026-01-01T00:00:00Z',
    updated_time: '2026-01-01T00:00:00Z',
    address: 'db.internal',
    session_max_seconds: 28_800,
    session_connection_limit: -1,
    worker_filter: '',
    egress_worker_filter: '',
    ingress_worker_filter: '',
    attributes: { default_port: 22, default_client_port: null },
    host_source_ids: [],
    application_credential_source_ids: [],
    brokered_credential_source_ids: [],
    injected_application_credential_source_ids: [],
    host_sources: [],
    application_credential_sources: [],
    brokered_credential_sources: [],
    injected_application_credential_sources: [],
    authorized_actions: ['read', 'update'],
    ...given,
  };
}
