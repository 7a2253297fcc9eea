import type { PingAnswer, SecondaryCredentials } from './types.ts';

/**
 * Asks addresses one at a time whether the primary of these credentials answers there; the first that does is answered.
 * Undefined when none did.
 * @param timeoutMs for each of them
 */
export async function ping(
  credentials: SecondaryCredentials,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<PingAnswer | undefined> {
  const { connect } = await import('./connection.ts');
  for (const address of addresses) {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const { client } = await connect(address, credentials, deadline.signal);
      const { clusterId, seq, demoted } = await client.ping({}, { signal: deadline.signal });
      return { address, standing: demoted ? 'demoted' : 'primary', clusterId, seq };
    } catch {
      // The next one may be it.
    } finally {
      clearTimeout(timer);
      deadline.abort();
    }
  }
  return undefined;
}
