import type { Connection } from '@gatehouse/api-types/console/session';
import { expect, test } from 'vitest';
import { endingBefore, formatSpan } from './outlive.ts';

const connection: Connection = {
  environment: 'production',
  service: 'access',
  state: 'connected',
  address: 'embedded',
  methods: ['password'],
  account: null,
  version: null,
  connected_at: null,
  expires_at: '2026-01-01T10:00:00Z',
  product: null,
  namespace: null,
  sign_in_mount: null,
  checked_at: null,
  detail: null,
};

test('lists the connected services whose tokens expire before the session, earliest first', () => {
  const session = { expires_at: '2026-01-01T12:00:00Z' };
  const later: Connection = { ...connection, service: 'boxes', expires_at: '2026-01-01T11:30:00Z' };
  const longer: Connection = { ...connection, service: 'modules', expires_at: '2026-01-02T11:30:00Z' };
  const ended: Connection = { ...connection, service: 'secrets', state: 'expired' };
  const found = endingBefore(session, [
    later,
    longer,
    ended,
    connection,
    { ...connection, expires_at: null },
  ]);
  expect(found.map((item) => [item.connection.service, item.byMs / 60_000])).toEqual([
    ['access', 120],
    ['boxes', 30],
  ]);
});

test.each([
  [0, 'under 1 min'],
  [59_999, 'under 1 min'],
  [50 * 60_000, '50 min'],
  [200 * 60_000, '3 h 20 min'],
  [3 * 3_600_000, '3 h'],
  [(2 * 24 + 4) * 3_600_000 + 59 * 60_000, '2 d 4 h'],
])('%d ms is %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});
