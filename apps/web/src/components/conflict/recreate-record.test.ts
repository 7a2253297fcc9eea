import * as at from '@gatehouse/api-types/console/addresses/access';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '#lib/api.ts';
import { recreated } from './recreate-record.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('only the call that recreates a record reports that to the audit trail', async () => {
  const told: (string | null)[] = [];
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: HeadersInit }) => {
    told.push(new Headers(headers).get('x-gatehouse-decisions'));
    return Promise.resolve(Response.json({}));
  });
  const target = {
    params: { environment: 'e' },
    body: { scope_id: 'p_1', type: 'tcp', name: 'db' },
  } as const;
  await Promise.all([call(at.targets.create, { ...target, ...recreated }), call(at.targets.create, target)]);
  expect(new Set(told)).toEqual(new Set(['[{"path":"","choice":"recreate"}]', null]));
});
