import { Code, ConnectError, createContextKey } from '@connectrpc/connect';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { createFollower } from './follower.ts';
import type { Follower } from './follower.ts';
import type { FollowRequest, ForwardRequest, Replication, ReportRequest } from './replication.gen.ts';
import { streamOf } from './stream.ts';
import type { SecondaryRecord, SecondaryState, ServeOptions } from './types.ts';

/** Who calls, by its certificate. */
interface Peer {
  readonly id: string | undefined;
  /** Breaks the call off. */
  readonly close: () => void;
}

/** Where a call keeps its caller. */
export const peerKey = createContextKey<Peer>({ id: undefined, close: () => undefined });

/** A primary's side of the link, above the port. */
export interface ReplicationService {
  readonly implementation: ServiceImpl<typeof Replication>;
  /** Tells all who follow that something was written. */
  readonly ringAll: () => void;
  endAll(error: ConnectError): void;
  disconnect(id: string): void;
  demote(): void;
  states(now: number): readonly SecondaryState[];
  /** Waits until all that were ended have left, and what is known of them is kept. */
  settled(): Promise<void>;
}

/** Answers the calls of secondaries. */
export function replicationService(
  options: ServeOptions & { readonly heartbeatMs: number },
): ReplicationService {
  const { identity, store, book, clock, log, heartbeatMs } = options;
  const followers = new Map<string, Follower>();
  const streams = new Set<Promise<void>>();
  const saving = new Set<Promise<void>>();
  const claim = claims(options);
  let demoted = options.standing === 'demoted';

  const heartbeat = () => {
    const lastEntryTimeMs = store.lastEntryTime();
    return {
      serverTimeMs: clock.now(),
      seq: store.position().seq,
      demoted,
      ...(lastEntryTimeMs === undefined ? {} : { lastEntryTimeMs }),
    };
  };
  const known = ({ values }: HandlerContext): SecondaryRecord => {
    const { id } = values.get(peerKey);
    const record = id === undefined ? undefined : book.get(id);
    if (record === undefined) throw denied('this cluster is not known here, or was revoked');
    return record;
  };
  /** Whoever calls with a cluster id that did not use the activation has it from somebody else. */
  const using = (context: HandlerContext, clusterId: string): SecondaryRecord => {
    const record = known(context);
    if (record.clusterId !== clusterId) throw usedElsewhere();
    return record;
  };
  const save = async (record: SecondaryRecord): Promise<void> => {
    try {
      if (book.get(record.id) !== undefined) await book.save(record);
    } catch (error) {
      log.warn('heartbeat of a secondary not kept', { error });
    }
  };
  const keep = (record: SecondaryRecord): void => {
    const saved = save(record).finally(() => saving.delete(saved));
    saving.add(saved);
  };

  return {
    implementation: {
      ping(_request, context) {
        known(context);
        return { clusterId: identity.clusterId, seq: store.position().seq, demoted };
      },
      async *follow(request, context) {
        const { close } = context.values.get(peerKey);
        const record = await claim(known(context), request).catch((error: unknown) => {
          throw told(error, options);
        });
        const { id } = record;
        followers.get(id)?.end(new ConnectError('a newer connection took its place', Code.Aborted));
        const follower = createFollower({ record, clock, heartbeatMs, close });
        const leave = (): void => follower.end(new ConnectError('it left', Code.Canceled));
        const left = Promise.withResolvers<void>();
        followers.set(id, follower);
        streams.add(left.promise);
        context.signal.addEventListener('abort', leave);
        log.info('secondary connected', { resourceId: id });
        try {
          if (context.signal.aborted) leave();
          const filter = book.filter(record);
          yield* streamOf({ store, follower, request, filter, heartbeat, isDemoted: () => demoted });
        } catch (error) {
          throw told(error, options);
        } finally {
          follower.release();
          if (followers.get(id) === follower) followers.delete(id);
          if (follower.record !== record) keep(follower.record);
          log.info('secondary disconnected', { resourceId: id });
          streams.delete(left.promise);
          left.resolve();
        }
      },
      report(request: ReportRequest, context) {
        const { id } = using(context, request.clusterId);
        const follower = followers.get(id);
        if (follower === undefined) throw new ConnectError('no stream is open', Code.FailedPrecondition);
        if (follower.heard(request)) keep(follower.record);
        return heartbeat();
      },
      async forward(request: ForwardRequest, context) {
        const record = using(context, request.clusterId);
        if (demoted) throw new ConnectError('this cluster was demoted', Code.FailedPrecondition);
        try {
          const { status, headers, body } = await options.forward(record, {
            namespace: request.namespace,
            method: request.method,
            path: request.path,
            body: request.body,
            contentType: request.contentType,
            policies: request.policies,
            displayName: request.displayName,
            callerNamespace: request.callerNamespace,
            wrapTtl: request.wrapTtl,
          });
          return { status, headers: { ...headers }, body, seq: store.position().seq };
        } catch (error) {
          throw told(error, options);
        }
      },
    },
    ringAll() {
      for (const follower of followers.values()) follower.ring();
    },
    endAll(error) {
      for (const follower of followers.values()) follower.end(error);
    },
    disconnect(id) {
      const isKnown = book.get(id) !== undefined;
      followers
        .get(id)
        ?.end(isKnown ? new ConnectError('it starts over', Code.Aborted) : denied('it was revoked'));
    },
    demote() {
      demoted = true;
      for (const follower of followers.values()) follower.ring();
    },
    states(now) {
      const { seq } = store.position();
      return [...followers.values()].map((follower) => follower.state(now, seq));
    },
    async settled() {
      await Promise.all(streams);
      await Promise.all(saving);
    },
  };
}

/** Longest id or address that is kept of a cluster. */
const mostNameLength = 512;

/** The first cluster that uses an activation is the only one that ever does. */
function claims({ book }: ServeOptions) {
  /** Those that are being kept: two may come at once. */
  const pending = new Map<string, string>();
  return async (record: SecondaryRecord, request: FollowRequest): Promise<SecondaryRecord> => {
    const { clusterId, apiAddress, clusterAddress } = request;
    const isSane = [clusterId, apiAddress, clusterAddress].every(({ length }) => length <= mostNameLength);
    if (clusterId === '' || !isSane) {
      throw new ConnectError('a cluster has an id and addresses', Code.InvalidArgument);
    }
    if ((record.clusterId ?? pending.get(record.id) ?? clusterId) !== clusterId) throw usedElsewhere();
    if (
      record.clusterId === clusterId &&
      record.apiAddress === apiAddress &&
      record.clusterAddress === clusterAddress
    ) {
      return record;
    }
    const claimed = { ...record, clusterId, apiAddress, clusterAddress };
    pending.set(record.id, clusterId);
    try {
      await book.save(claimed);
    } finally {
      pending.delete(record.id);
    }
    if (book.get(record.id) === undefined) throw denied('it was revoked');
    return claimed;
  };
}

/** What went wrong here is told in the log; the caller learns that it did. */
function told(error: unknown, { log }: ServeOptions): ConnectError {
  if (error instanceof ConnectError) return error;
  log.error('call of a secondary failed', { error });
  return new ConnectError('the primary failed', Code.Internal);
}

function denied(message: string): ConnectError {
  return new ConnectError(message, Code.PermissionDenied);
}

function usedElsewhere(): ConnectError {
  return denied('this activation was used by another cluster');
}
