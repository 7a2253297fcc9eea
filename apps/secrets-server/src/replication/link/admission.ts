import { Code, ConnectError, createContextKey } from '@connectrpc/connect';
import type { HandlerContext } from '@connectrpc/connect';
import type { FollowRequest } from './replication.gen.ts';
import type { SecondaryRecord, ServeOptions } from './types.ts';

/** Who calls, by its certificate. */
interface Peer {
  readonly id: string | undefined;
  /** Breaks the call off. */
  readonly close: () => void;
}

/** Where a call keeps its caller. */
export const peerKey = createContextKey<Peer>({ id: undefined, close: () => undefined });

/** Who may call. All throw a ConnectError for whoever may not. */
export type Admission = ReturnType<typeof admissionOf>;

/** Longest address that is kept of a cluster. */
const mostNameLength = 512;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The answer to a caller that the book does not know. */
export const notAdmitted = 'this cluster is unknown here, or was revoked';

/** Admits those whom the book knows. */
export function admissionOf({ book }: ServeOptions) {
  /** Activations with the clusters that are being kept as theirs: two may come at once. */
  const pending = new Map<string, string>();
  const known = ({ values }: HandlerContext): SecondaryRecord => {
    const { id } = values.get(peerKey);
    const record = id === undefined ? undefined : book.get(id);
    if (record === undefined) throw denied(notAdmitted);
    return record;
  };

  return {
    /** The caller, by its certificate. */
    known,
    /** The caller, which must have used its activation: whoever calls with another cluster id has it from somebody else. */
    using(context: HandlerContext, clusterId: string): SecondaryRecord {
      const record = known(context);
      if (record.clusterId !== clusterId) throw usedElsewhere();
      return record;
    },
    /**
     * The caller, which uses its activation from now on: the first cluster that does is the only one that ever does.
     * @param onReplaced called with the id of an earlier activation of the same cluster, which ends with that
     */
    async claim(
      context: HandlerContext,
      request: FollowRequest,
      onReplaced: (id: string) => void,
    ): Promise<SecondaryRecord> {
      const record = known(context);
      const { clusterId, apiAddress, clusterAddress } = request;
      const isSane = [apiAddress, clusterAddress].every(({ length }) => length <= mostNameLength);
      if (!uuid.test(clusterId) || !isSane) {
        throw new ConnectError(
          "a cluster's ID must be a UUID, and its addresses must be short",
          Code.InvalidArgument,
        );
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
        for (const id of await book.claim(claimed)) onReplaced(id);
      } finally {
        pending.delete(record.id);
      }
      if (book.get(record.id) === undefined) throw denied('it was revoked');
      return claimed;
    },
  };
}

/** A refusal that does not pass by itself. */
export function denied(message: string): ConnectError {
  return new ConnectError(message, Code.PermissionDenied);
}

function usedElsewhere(): ConnectError {
  return denied('this activation was used by another cluster');
}
