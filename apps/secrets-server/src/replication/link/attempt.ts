import { connect, failureOf, isDenial } from './connection.ts';
import type { Connection, Failure } from './connection.ts';
import { forwardOver } from './forward.ts';
import type { Forward } from './forward.ts';
import { sendHeartbeats } from './heartbeats.ts';
import { heartbeatDefaultMs } from './limits.ts';
import type { Progress } from './progress.ts';
import type { Receiver } from './receive.ts';
import type { FollowMessage } from './replication.gen.ts';
import type { FollowOptions } from './types.ts';

/** One connection to a primary, from the first attempt to its end. */
export interface Attempt {
  readonly address: string;
  readonly options: FollowOptions;
  readonly progress: Progress;
  readonly receiver: Receiver;
  /** Ends the attempt and the connection. */
  readonly signal: AbortSignal;
  /** Called with the function that forwards writes, as soon as the primary answers. */
  readonly onReady: (forward: Forward) => void;
}

/** How a connection ended. */
interface Ending extends Failure {
  /** Whether the connection applied entries and did not end by a failure to apply a message. */
  readonly held: boolean;
}

/** Follows over one connection until it ends, and returns the reason. */
export async function attempt(given: Attempt): Promise<Ending> {
  const { address, options, receiver, progress, onReady } = given;
  const { heartbeatMs = heartbeatDefaultMs, deadlineMs = 3 * heartbeatMs } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([given.signal, over.signal]);
  const watch = watchOf(deadlineMs, () => over.abort(new Silent()));
  let connection: Connection | undefined;
  let beating: Promise<void> | undefined;
  const ready = (link: Connection): Promise<void> => {
    progress.ready();
    onReady(forwardOver({ client: link.client, address, options, progress, signal }));
    return sendHeartbeats({ client: link.client, options, progress, signal, heartbeatMs }).catch(
      (error: unknown) => over.abort(error),
    );
  };
  try {
    watch.start();
    connection = await connect(address, options.credentials, signal, {
      onStreamed: watch.extend,
    });
    connection.ended.addEventListener('abort', () => over.abort(new Error('closed')));
    for await (const message of connection.client.follow(requestOf(options, receiver), { signal })) {
      watch.stop();
      await apply(receiver, message);
      beating ??= ready(connection);
      watch.start();
    }
    throw new Error('ended');
  } catch (error) {
    const isCause = !signal.aborted || error instanceof NotApplied || isDenial(error);
    const held = progress.seq !== undefined && !(error instanceof NotApplied);
    return { ...explain(isCause ? error : signal.reason, given), held };
  } finally {
    watch.stop();
    over.abort();
    connection?.close();
    await beating;
  }
}

/** No message arrived in time. */
class Silent extends Error {
  override readonly name = 'Silent';
}

/** A message could not be applied; `cause` is the reason. */
class NotApplied extends Error {
  override readonly name = 'NotApplied';
}

async function apply(receiver: Receiver, message: FollowMessage): Promise<void> {
  try {
    await receiver.receive(message);
  } catch (cause) {
    throw new NotApplied('a message was not applied', { cause });
  }
}

function explain(error: unknown, { address, options }: Attempt): Failure {
  if (error instanceof NotApplied) {
    options.log.error('what the primary sent was not applied', { error: error.cause });
    return { why: `The data from the primary at ${address} couldn't be applied here.`, denied: false };
  }
  if (error instanceof Silent) {
    return { why: `The primary at ${address} stopped answering.`, denied: false };
  }
  return failureOf(error, address);
}

function requestOf({ own, store }: FollowOptions, { filterHash }: Receiver) {
  const { seq, history } = store.position();
  return { ...own(), seq, history: { epochs: [...history] }, whole: store.whole(), filterHash };
}

/** A timer that calls `onSilence` after `start`, unless it is stopped or extended in time. */
function watchOf(
  ms: number,
  onSilence: () => void,
): { start(): void; stop(): void; readonly extend: () => void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setTimeout(onSilence, ms);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
    extend: () => timer?.refresh(),
  };
}
