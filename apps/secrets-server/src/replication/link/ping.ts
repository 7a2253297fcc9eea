import type { PingResult, SecondaryCredentials } from './types.ts';

/** How many addresses that stay silent are waited for: everything else of a change of role waits meanwhile. */
const patience = 3;

/**
 * Asks addresses one at a time whether the primary of these credentials answers there; the first that does is answered.
 * @param timeoutMs for each of them; three times as long for all together
 */
export async function ping(
  credentials: SecondaryCredentials,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<PingResult> {
  const { connect, isDenial } = await import('./connection.ts');
  let deniedAt: string | undefined;
  const end = performance.now() + patience * timeoutMs;
  for (const address of addresses) {
    const left = Math.min(timeoutMs, end - performance.now());
    if (left <= 0) break;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), left);
    try {
      const { client } = await connect(address, credentials, deadline.signal);
      const { clusterId, seq, demoted, history } = await client.ping({}, { signal: deadline.signal });
      const epochs = (history?.epochs ?? []).map(({ id, after }) => ({ id, after }));
      const standing = demoted ? 'demoted' : 'primary';
      return { answer: { address, standing, clusterId, position: { seq, history: epochs } }, deniedAt };
    } catch (error) {
      // The next one may be it.
      if (isDenial(error)) deniedAt ??= address;
    } finally {
      clearTimeout(timer);
      deadline.abort();
    }
  }
  return { answer: undefined, deniedAt };
}
