import { mostShortBytes } from './limits.ts';
import { shareOf } from './patience.ts';
import type { Patience } from './patience.ts';
import type { PingResult, SecondaryCredentials } from './types.ts';

/**
 * Tries addresses one at a time, and returns the answer of the first where the primary of these credentials answers.
 * The remaining time is divided among the remaining addresses, so that a silent one leaves enough for the others.
 * @param options.promoting whether this cluster is about to become the primary and has stopped following
 */
export async function ping(
  credentials: SecondaryCredentials,
  addresses: readonly string[],
  patience: Patience,
  { promoting = false }: { readonly promoting?: boolean } = {},
): Promise<PingResult> {
  const { connect, isDenial } = await import('./connection.ts');
  let deniedAt: string | undefined;
  for (const [index, address] of addresses.entries()) {
    const share = shareOf(patience, addresses.length - 1 - index);
    if (share === 0) break;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), share);
    try {
      const { client } = await connect(address, credentials, deadline.signal, { mostBytes: mostShortBytes });
      const { clusterId, seq, demoted, history } = await client.ping(
        { promoting },
        { signal: deadline.signal },
      );
      const epochs = (history?.epochs ?? []).map(({ id, after }) => ({ id, after }));
      const standing = demoted ? 'demoted' : 'primary';
      return { answer: { address, standing, clusterId, position: { seq, history: epochs } }, deniedAt };
    } catch (error) {
      // Another address may be the primary's.
      if (isDenial(error)) deniedAt ??= address;
    } finally {
      clearTimeout(timer);
      deadline.abort();
    }
  }
  return { answer: undefined, deniedAt };
}
