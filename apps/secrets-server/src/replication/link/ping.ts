import { mostShortBytes } from './limits.ts';
import { shareOf } from './patience.ts';
import type { Patience } from './patience.ts';
import type { PingResult, SecondaryCredentials } from './types.ts';

/**
 * Asks addresses one at a time whether the primary of these credentials answers there; the first that does is answered.
 * What is left of the patience is shared by those that are still to be asked, so that a silent one takes no other's turn.
 * @param options.promoting whether this cluster is about to become the primary, and follows nobody any more
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
      // The next one may be it.
      if (isDenial(error)) deniedAt ??= address;
    } finally {
      clearTimeout(timer);
      deadline.abort();
    }
  }
  return { answer: undefined, deniedAt };
}
