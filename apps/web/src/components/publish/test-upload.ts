import type { Upload } from '@gatehouse/api-types/console/publish-uploads';

/** An upload of 1,000 bytes for tests, with none received. */
export function uploadOf(fields: Partial<Upload> = {}): Upload {
  return {
    id: 'pu_1',
    path: '/api/uploads/pu_1',
    file: { name: 'base.box', size: 1000, last_modified: 0, fingerprint: 'f' },
    state: 'receiving',
    received: 0,
    delivered: 0,
    attempts: 0,
    delivery_started_time: null,
    sha256: null,
    problem: null,
    retry: null,
    expires_time: null,
    token_expires_time: null,
    created_time: '',
    updated_time: '',
    ...fields,
  };
}
