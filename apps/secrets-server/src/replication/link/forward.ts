import { Code, ConnectError } from '@connectrpc/connect';
import type { Client } from '@connectrpc/connect';
import { ownerHeader } from './limits.ts';
import type { Progress } from './progress.ts';
import type { Replication } from './replication.gen.ts';
import { NoPrimary } from './types.ts';
import type { FollowOptions, ForwardedAnswer, ForwardedRequest } from './types.ts';

/** Forwards a write. @throws NoPrimary */
export type Forward = (request: ForwardedRequest) => Promise<ForwardedAnswer>;

interface ForwardOptions {
  readonly client: Client<typeof Replication>;
  readonly address: string;
  readonly options: FollowOptions;
  readonly progress: Progress;
  /** Aborted at the end of the connection. */
  readonly signal: AbortSignal;
}

/** The time limit of a forwarded write in milliseconds. */
const mostMs = 60_000;
const waitDefaultMs = 2000;

/** Creates the function that forwards writes over a connection. */
export function forwardOver({ client, address, options, progress, signal }: ForwardOptions): Forward {
  const { own, waitMs = waitDefaultMs } = options;
  return async ({ contentType, policies, owner, ...request }) => {
    const message = {
      ...request,
      clusterId: own().clusterId,
      policies: [...policies],
      ...(contentType === undefined ? {} : { contentType }),
    };
    try {
      const { status, headers, body, seq } = await client.forward(message, {
        signal,
        timeoutMs: mostMs,
        ...(owner !== undefined && { headers: { [ownerHeader]: owner } }),
      });
      // The writer expects to read the change here next.
      await progress.waitFor(seq, waitMs);
      return { status, headers, body, seq };
    } catch (error) {
      throw noPrimary(error, address);
    }
  };
}

function noPrimary(error: unknown, address: string): NoPrimary {
  const code = error instanceof ConnectError ? error.code : undefined;
  if (code === Code.FailedPrecondition) {
    return new NoPrimary(`The primary at ${address} was demoted and accepts no writes.`, 'no');
  }
  if (code === Code.ResourceExhausted)
    return new NoPrimary(
      `The primary at ${address} has too many large writes waiting. Try again in a moment.`,
      'no',
    );
  if (code === Code.PermissionDenied)
    return new NoPrimary(`The primary at ${address} refuses this cluster.`, 'no');
  return new NoPrimary(`The primary at ${address} didn't answer. The change may have been made.`, 'unknown');
}
