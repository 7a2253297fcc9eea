import type { Target } from '@gatehouse/api-types/console/targets';
import { expect, test } from 'vitest';
import { sourceImpacts } from './source-impacts.ts';

function target(name: string, sources: Partial<Target>): Target {
  return {
    id: `ttcp_${name}`,
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
    name,
    description: '',
    created_time: '',
    updated_time: '',
    address: '',
    session_max_seconds: 1,
    session_connection_limit: -1,
    worker_filter: '',
    egress_worker_filter: '',
    ingress_worker_filter: '',
    attributes: { default_port: 1, default_client_port: null },
    host_source_ids: [],
    host_sources: [],
    application_credential_source_ids: [],
    application_credential_sources: [],
    brokered_credential_source_ids: [],
    brokered_credential_sources: [],
    injected_application_credential_source_ids: [],
    injected_application_credential_sources: [],
    authorized_actions: [],
    ...sources,
  };
}

test('a target breaks if it loses its only host source, but not if it has others', () => {
  const impacts = sourceImpacts(
    [target('only', { host_source_ids: ['a'] }), target('both', { host_source_ids: ['a', 'b'] })],
    ['a'],
    ['host_source_ids'],
  );
  expect(impacts).toEqual([
    { kind: 'breaks', text: 'Target only is left without a host, so no session can be opened.' },
    { kind: 'worth-knowing', text: 'Target both loses it and keeps its other sources.' },
  ]);
});

test('credentials count in all roles', () => {
  const kinds = ['brokered_credential_source_ids', 'injected_application_credential_source_ids'] as const;
  const impacts = sourceImpacts(
    [
      target('bare', { brokered_credential_source_ids: ['c'] }),
      target('kept', {
        brokered_credential_source_ids: ['c'],
        injected_application_credential_source_ids: ['d'],
      }),
    ],
    ['c'],
    kinds,
  );
  expect(impacts.map(({ kind }) => kind)).toEqual(['breaks', 'worth-knowing']);
  expect(impacts[0]?.text).toContain('bare');
  expect(sourceImpacts([], ['c'], kinds)).toHaveLength(1);
});
