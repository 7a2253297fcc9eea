import { Code, ConnectError } from '@connectrpc/connect';
import type { ServiceImpl } from '@connectrpc/connect';
import { admissionOf, denied, peerKey } from './admission.ts';
import type { Follower } from './follower.ts';
import { ownerHeader } from './limits.ts';
import type { ForwardRequest, Replication, ReportRequest } from './replication.gen.ts';
import { rosterOf } from './roster.ts';
import type { Roster } from './roster.ts';
import { streamOf } from './stream.ts';
import type { ForwardedRequest, ServeOptions } from './types.ts';

/** The primary's side of the link, above the port. */
export interface ReplicationService {
  readonly implementation: ServiceImpl<typeof Replication>;
  readonly roster: Roster;
  disconnect(id: string): void;
  demote(): void;
  announce(promoting: boolean): void;
}

export function replicationService(
  options: ServeOptions & { readonly heartbeatMs: number },
): ReplicationService {
  const { identity, store, book, clock } = options;
  const roster = rosterOf(options);
  const admission = admissionOf(options);
  let demoted = options.standing === 'demoted';
  let isPromoting = false;

  const heartbeat = () => {
    const lastEntryTimeMs = store.lastEntryTime();
    return {
      serverTimeMs: clock.now(),
      seq: store.position().seq,
      demoted,
      ...(lastEntryTimeMs === undefined ? {} : { lastEntryTimeMs }),
    };
  };

  return {
    roster,
    implementation: {
      async ping({ promoting }, context) {
        const { id } = admission.known(context);
        if (promoting) roster.dismiss(id);
        // Otherwise two secondaries could be promoted one after the other.
        const allowed = !promoting || !demoted || (await book.allowSuccessor(id));
        const { seq, history } = store.position();
        return {
          clusterId: identity.clusterId,
          seq,
          demoted: demoted && !isPromoting && allowed,
          history: { epochs: [...history] },
        };
      },
      async *follow(request, context) {
        let follower: Follower | undefined;
        try {
          const record = await admission.claim(context, request, (id) =>
            roster.of(id)?.end(denied('the cluster uses another activation')),
          );
          follower = roster.join(record, context.values.get(peerKey).close, context.signal);
          const filter = book.filter(record);
          yield* streamOf({ store, follower, request, filter, heartbeat, isDemoted: () => demoted });
        } catch (error) {
          throw asConnectError(error, options);
        } finally {
          if (follower !== undefined) roster.leave(follower);
        }
      },
      async report(request: ReportRequest, context) {
        const { id } = admission.using(context, request.clusterId);
        const follower = roster.of(id);
        if (follower === undefined) throw new ConnectError('no stream is open', Code.FailedPrecondition);
        if (follower.heard(request)) roster.keep(follower.record);
        await book.forgetSuccessor(id);
        return heartbeat();
      },
      async forward(request: ForwardRequest, context) {
        const record = admission.using(context, request.clusterId);
        if (demoted) throw new ConnectError('this cluster was demoted', Code.FailedPrecondition);
        roster.of(record.id)?.hasten();
        try {
          const { status, headers, body } = await options.forward(
            record,
            requestOf(request, context.requestHeader.get(ownerHeader) ?? undefined),
          );
          return { status, headers: { ...headers }, body, seq: store.position().seq };
        } catch (error) {
          throw asConnectError(error, options);
        }
      },
    },
    disconnect(id) {
      const isKnown = book.get(id) !== undefined;
      const error = isKnown ? new ConnectError('it starts over', Code.Aborted) : denied('it was revoked');
      roster.of(id)?.end(error);
    },
    announce(promoting) {
      isPromoting = promoting;
    },
    demote() {
      demoted = true;
      roster.notifyAll();
    },
  };
}

function requestOf(request: ForwardRequest, owner: string | undefined): ForwardedRequest {
  return {
    namespace: request.namespace,
    method: request.method,
    path: request.path,
    body: request.body,
    contentType: request.contentType,
    policies: request.policies,
    displayName: request.displayName,
    owner,
    callerNamespace: request.callerNamespace,
    wrapTtl: request.wrapTtl,
  };
}

/** Logs an internal error; the caller learns only that the call failed. */
function asConnectError(error: unknown, { log }: ServeOptions): ConnectError {
  if (error instanceof ConnectError) return error;
  log.error("secondary's call failed", { error });
  return new ConnectError("internal error; see the primary's log", Code.Internal);
}
