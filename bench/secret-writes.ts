import type { Server } from './harness.ts';
import type { Work } from './measure.ts';

/** Data of a secret of 1 KiB. */
export const secretData = { password: 'v'.repeat(1024) };

/** Writes the next version of a secret to a secrets server. Each connection has its own secret. */
export function writeDirectly({ headers }: Server): Work {
  const body = JSON.stringify({ data: secretData });
  return (slot) => ({
    method: 'POST',
    path: `/v1/secret/data/bench/direct-${slot}`,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
}
